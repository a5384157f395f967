package io.metaq.client;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A payload: an array of its own, or a range of a fetched buffer that is copied only when asked for. The second kind dies with its
 * batch unless {@link #detach()} was called.
 */
final class MessageData {

    private byte @Nullable [] array;
    private @Nullable FetchBuffer source;
    private final int index;
    private final int size;

    MessageData(byte[] array) {
        this.array = array;
        this.index = 0;
        this.size = array.length;
    }

    MessageData(FetchBuffer source, int index, int size) {
        this.source = source;
        this.index = index;
        this.size = size;
    }

    int size() {
        return size;
    }

    byte[] copy() {
        byte[] own = array;
        return own != null ? own.clone() : read();
    }

    ByteBuffer view() {
        byte[] own = array;
        if (own != null) {
            return ByteBuffer.wrap(own).asReadOnlyBuffer();
        }
        return open().nioBuffer(index, size).asReadOnlyBuffer();
    }

    /** The array itself, for writing it into a batch. */
    byte[] array() {
        detach();
        byte[] own = array;
        if (own == null) {
            throw Message.batchClosed();
        }
        return own;
    }

    /** Copies the payload out of the fetched buffer, so that it outlives the batch. */
    void detach() {
        if (array == null) {
            array = read();
            source = null;
        }
    }

    private byte[] read() {
        byte[] bytes = new byte[size];
        open().getBytes(index, bytes);
        return bytes;
    }

    private ByteBuf open() {
        FetchBuffer buffer = source;
        if (buffer == null) {
            throw Message.batchClosed();
        }
        return buffer.content();
    }
}
