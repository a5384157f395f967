package io.metaq.state.transaction;

import io.metaq.log.partition.LogSlice;
import io.metaq.log.partition.MessageLog;
import io.metaq.state.record.MessageRecord;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;

/** Reads the messages of a large transaction in the order in which they came, some at a time. */
final class StagedReader {
    private static final Logger LOG = System.getLogger(StagedReader.class.getName());
    private static final int CHUNK_BYTES = 1 << 20;

    /** Takes whole messages. */
    interface Sink {
        /** @param messages position to limit; used again when this has returned */
        void take(ByteBuffer messages, int count) throws IOException;
    }

    private final MessageLog log;
    private ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
    private long at;

    StagedReader(MessageLog log) {
        this.log = log;
        this.at = log.startOffset();
    }

    /** Hands over the messages of the next {@code bytes} bytes. What the disk has lost of them is left out. */
    void read(long bytes, Sink sink) throws IOException {
        long end = at + bytes;
        while (at < end) {
            chunk.clear().limit((int) Math.min(chunk.capacity(), end - at));
            long resume = fill();
            int count = countWhole();
            if (count > 0) {
                at += chunk.limit();
                sink.take(chunk, count);
            } else if (resume == 0 && larger(end - at)) {
                chunk = ByteBuffer.allocate(MessageRecord.MESSAGE_HEADER_BYTES + chunk.getInt(0));
            } else {
                long behind = Math.min(end, Math.max(resume, at + 1));
                LOG.log(Level.ERROR, "messages of a transaction are lost: bytes {0} to {1} of its own log", at, behind);
                at = resume == 0 ? end : behind;
            }
        }
    }

    /** Cuts off what is no whole message at the end of the chunk. */
    private int countWhole() {
        int whole = 0;
        int count = 0;
        while (whole + MessageRecord.MESSAGE_HEADER_BYTES <= chunk.limit()) {
            int body = chunk.getInt(whole);
            if (body < 0 || body > chunk.limit() - whole - MessageRecord.MESSAGE_HEADER_BYTES) {
                break;
            }
            whole += MessageRecord.MESSAGE_HEADER_BYTES + body;
            count++;
        }
        if (count > 0) {
            chunk.limit(whole);
        }
        return count;
    }

    /** Whether the first message is larger than the chunk, and can be what it says. */
    private boolean larger(long left) {
        return chunk.limit() >= Integer.BYTES
                && chunk.getInt(0) > chunk.capacity() - MessageRecord.MESSAGE_HEADER_BYTES
                && chunk.getInt(0) <= left - MessageRecord.MESSAGE_HEADER_BYTES;
    }

    /**
     * Fills the chunk from the log as far as it can be read, and leaves it ready to be read.
     *
     * @return where the log goes on behind a damaged range that follows; 0 when there is none
     */
    private long fill() throws IOException {
        while (chunk.hasRemaining()) {
            LogSlice slice = log.slice(at + chunk.position(), chunk.remaining());
            if (slice == null) {
                chunk.flip();
                return Long.MAX_VALUE;
            }
            try {
                if (slice.length() == 0) {
                    chunk.flip();
                    return slice.nextOffset();
                }
                int read = 0;
                while (read < slice.length()) {
                    int n = slice.read(chunk, read);
                    if (n < 0) {
                        throw new IOException("a file of messages ended early");
                    }
                    read += n;
                }
            } finally {
                slice.release();
            }
        }
        chunk.flip();
        return 0;
    }
}
