package io.metaq.client.net;

/**
 * Settings of all links of a client.
 *
 * @param connectTimeoutMs for a TCP connection
 * @param requestTimeoutMs for the negotiation and for heartbeats
 * @param heartbeatMs silence after which a heartbeat is sent
 * @param maxBody longest body of a reply that is taken, in bytes
 * @param preferLoopback whether brokers on this machine are tried by loopback first
 * @param clientName told to brokers
 */
public record LinkSettings(
        int connectTimeoutMs,
        int requestTimeoutMs,
        int heartbeatMs,
        int maxBody,
        boolean preferLoopback,
        String clientName) {}
