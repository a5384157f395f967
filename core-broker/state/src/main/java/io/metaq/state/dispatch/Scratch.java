package io.metaq.state.dispatch;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Memory into which partition logs are read: one per thread, shared by all its dispatches, so that a subscription that
 * rests costs none. What a window has read is there until another window reads.
 */
public final class Scratch {
    static final int BYTES = 256 << 10;

    private @Nullable ByteBuffer shared;
    private @Nullable LogWindow owner;

    boolean belongsTo(LogWindow window) {
        return owner == window;
    }

    /** A buffer of at least so many bytes; the large ones are made for the occasion. */
    ByteBuffer lend(LogWindow to, int bytes) {
        owner = to;
        if (bytes > BYTES) {
            return ByteBuffer.allocate(bytes);
        }
        ByteBuffer buffer = shared;
        if (buffer == null) {
            buffer = ByteBuffer.allocateDirect(BYTES);
            shared = buffer;
        }
        return buffer.clear();
    }

    void giveBack(LogWindow window) {
        if (owner == window) {
            owner = null;
        }
    }
}
