package io.metaq.client.net;

import io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

/**
 * Settings of all links of a client.
 *
 * @param connectTimeoutMs for a TCP connection
 * @param requestTimeoutMs for the negotiation and for heartbeats
 * @param heartbeatMs silence after which a heartbeat is sent
 * @param maxBody longest body of a reply that is taken, in bytes
 * @param preferLoopback whether brokers on this machine are tried by loopback first
 * @param clientName told to brokers
 * @param login who to log in as, right after the negotiation; null for nobody
 * @param encryption how to encrypt, null for not at all
 */
public record LinkSettings(
        int connectTimeoutMs,
        int requestTimeoutMs,
        int heartbeatMs,
        int maxBody,
        boolean preferLoopback,
        String clientName,
        @Nullable Credentials login,
        @Nullable SslContext encryption) {

    /** A user. The password is not in {@link #toString}, which ends in logs. */
    public record Credentials(String user, String password) {
        @Override
        public String toString() {
            return user;
        }
    }
}
