package io.metaq.client.subscription;

import io.metaq.client.net.NetworkFailure;
import io.metaq.client.net.Transport;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What a subscriber needs of the client that made it. Not for applications. */
public interface SubscriberHost {

    Transport transport();

    /** For connecting, and for what has to be done before a connection is ready. */
    long requestTimeoutMs();

    /** For a call with all its repetitions. */
    long callTimeoutMs();

    /** Brokers to try, in this order, unresolved. Fails when none can be found now. */
    CompletableFuture<List<InetSocketAddress>> servers();

    /** Told on the network thread which broker is where. */
    void connected(int brokerId, InetSocketAddress server);

    /** The exception for a request without an answer. */
    RuntimeException network(String what, NetworkFailure failure, @Nullable InetSocketAddress server);

    /** The exception for an answer that is no success. */
    RuntimeException status(String what, int code, String text, @Nullable InetSocketAddress server);

    /** Told when the link is closed. */
    void closed(SubscriberLink link);

    /** A new subscriber, which connects at once. */
    default SubscriberLink open(SubscriberListener listener) {
        SubscriberSession session = new SubscriberSession(this, listener);
        session.start();
        return session;
    }
}
