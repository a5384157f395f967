package io.metaq.state.dispatch;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Memory into which partition logs are read: one per thread, shared by all its dispatches, so that a subscription that
 * rests costs none. What a window has read is there until another window reads.
 */
public final class Scratch {
    static final int BYTES = 256 << 10;

    private final ByteBuffer shared = ByteBuffer.allocateDirect(BYTES);
    private @Nullable LogWindow owner;

    boolean belongsTo(LogWindow window) {
        return owner == window;
    }

    /** A buffer of at least so many bytes; the large ones are made for the occasion. */
    ByteBuffer lend(LogWindow to, int bytes) {
        owner = to;
        return bytes <= BYTES ? shared.clear() : ByteBuffer.allocate(bytes);
    }

    void giveBack(LogWindow window) {
        if (owner == window) {
            owner = null;
        }
    }
}
