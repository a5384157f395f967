package io.metaq.broker.net;

import io.metaq.log.partition.LogSlice;
import io.metaq.protocol.Response;
import io.metaq.protocol.Status;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/**
 * Who a {@link Session} speaks for: says the session's replies in the language that the client speaks. What is queued leaves at the
 * next {@link #flush}, unless the peer sends it at once. On the session's event loop, where nothing else is said.
 */
public interface Peer {
    /** Queues a code and a text. Any thread; what one thread queues leaves in its order. */
    void result(Response.Result result);

    /** Queues a result whose text is bytes as they are, such as a file's. */
    void result(Status status, byte[] body, int opaque);

    /** Queues the answer to messages that were stored. */
    void stored(long messageId, int partition, long offset, int opaque);

    /** Queues a slice of a partition log; takes it over. */
    void value(LogSlice slice, int opaque) throws IOException;

    /**
     * Queues stored messages for a consumer. Any thread; what one thread queues leaves in its order.
     *
     * @param messages {@code count} whole messages from position to limit, to be copied
     */
    void deliver(int consumer, int partition, long offset, int count, int delivery, ByteBuffer messages);

    /** Queues the news that the broker has ended a consumer. Any thread. */
    void detached(int consumer, String reason);

    /** Sends what is queued. Any thread. */
    void flush();

    /** Whether more is taken before what is queued has left. Any thread. */
    boolean writable();

    /** Whether the client is there. Any thread. */
    boolean open();

    /** Whether requests are to be read. */
    void reading(boolean on);

    /** Ends the connection when what is queued is sent. */
    void closeWhenSent();

    SocketAddress address();

    /** Where the client reaches the broker. */
    InetSocketAddress localAddress();
}
