package io.metaq.client;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** A reply's buffer, released once; messages that still point into it then fail instead of reading other data. */
final class FetchBuffer {

    private volatile @Nullable ByteBuf content;

    FetchBuffer(@Nullable ByteBuf content) {
        this.content = content;
    }

    ByteBuf content() {
        ByteBuf open = content;
        if (open == null) {
            throw Message.batchClosed();
        }
        return open;
    }

    synchronized void release() {
        ByteBuf open = content;
        content = null;
        if (open != null) {
            open.release();
        }
    }
}
