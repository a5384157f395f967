package io.metaq.broker.net;

import io.metaq.log.partition.LogSlice;
import io.netty.buffer.ByteBuf;
import io.netty.channel.DefaultFileRegion;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * How a slice of a partition log reaches the socket: large ones by sendfile, small ones by a copy into the reply's own
 * buffer, since there a second system call costs more than the bytes. Where TLS is spoken large ones are copied too, piece by
 * piece, and what is in memory has no file to send.
 */
final class SliceTransfer {
    /** Slices up to this many bytes are copied. */
    static final int COPY_LIMIT = 16 * 1024;

    private SliceTransfer() {}

    static boolean copies(LogSlice slice) {
        return slice.inMemory() || slice.length() <= COPY_LIMIT;
    }

    static int copiedBytes(LogSlice slice) {
        return copies(slice) ? slice.length() : 0;
    }

    /** Appends the slice's bytes to {@code to}; the slice stays the caller's. */
    static void copy(LogSlice slice, ByteBuf to) throws IOException {
        ByteBuffer into = to.nioBuffer(to.writerIndex(), slice.length());
        int read = 0;
        while (read < slice.length()) {
            int more = slice.read(into, read);
            if (more < 0) {
                throw new EOFException("partition log ends before its readable end");
            }
            read += more;
        }
        to.writerIndex(to.writerIndex() + read);
    }

    /** The slice in the form in which it is written to the channel; released when it is sent. */
    static Object outbound(LogSlice slice, boolean encrypted) {
        return encrypted ? new SliceChunks(slice) : region(slice);
    }

    /** The slice as a region that netty hands to sendfile; released with it. */
    private static DefaultFileRegion region(LogSlice slice) {
        return new DefaultFileRegion(slice.channel(), slice.position(), slice.length()) {
            @Override
            protected void deallocate() {
                // Not super: that would close the file, which other readers share.
                slice.release();
            }
        };
    }
}
