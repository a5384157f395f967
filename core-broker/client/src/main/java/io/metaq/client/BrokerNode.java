package io.metaq.client;

/**
 * A broker as the client knows it.
 *
 * @param id the broker id from its configuration, 0 to 1023
 * @param address where it listens
 */
public record BrokerNode(int id, BrokerAddress address) {}
