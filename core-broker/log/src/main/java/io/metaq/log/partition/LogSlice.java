package io.metaq.log.partition;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * A readable piece of one segment file. It keeps the file from being closed or deleted until {@link #release()}.
 *
 * <p>A slice of length 0 stands for a damaged range that was set aside: reading goes on at {@link #nextOffset()}.
 */
public final class LogSlice {

    private LogSlice() {}

    /** Partition offset of the first byte. */
    public long offset() {
        throw new UnsupportedOperationException();
    }

    /** Number of bytes. */
    public int length() {
        throw new UnsupportedOperationException();
    }

    /** Partition offset where reading goes on after this slice. */
    public long nextOffset() {
        throw new UnsupportedOperationException();
    }

    /** The segment file, for a transfer to a socket; {@link #position()} is where the slice begins in it. */
    public FileChannel channel() {
        throw new UnsupportedOperationException();
    }

    /** Where in the file the slice begins, in bytes. */
    public long position() {
        throw new UnsupportedOperationException();
    }

    /** Reads bytes of the slice from {@code at} (0 = its first byte) on; -1 at its end. */
    public int read(ByteBuffer into, int at) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Called exactly once. */
    public void release() {
        throw new UnsupportedOperationException();
    }
}
