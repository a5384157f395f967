package io.metaq.client;

import io.netty.buffer.ByteBuf;

/** The outcome of one fetch. */
sealed interface Fetched {

    /**
     * Whole messages, checksums not looked at yet. Whoever takes it releases the buffer.
     *
     * @param content exactly the messages
     * @param offset byte position of the first one
     * @param count how many
     */
    record Data(ByteBuf content, long offset, int count) implements Fetched {

        long nextOffset() {
            return offset + content.readableBytes();
        }
    }

    /** Nothing there (yet). @param offset where to ask next, moved by the broker perhaps */
    record End(long offset) implements Fetched {}

    /** @param offset where it happened */
    record Failed(long offset, MetaqException failure) implements Fetched {}
}
