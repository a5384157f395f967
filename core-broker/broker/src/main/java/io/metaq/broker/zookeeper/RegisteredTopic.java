package io.metaq.broker.zookeeper;

/**
 * A topic at another broker.
 *
 * @param broker the broker's id
 * @param address its {@code host:port} as it registered it
 * @param tlsPort its port for TLS, -1 if it registered none
 */
public record RegisteredTopic(int broker, String address, int tlsPort, TopicRegistration topic) {}
