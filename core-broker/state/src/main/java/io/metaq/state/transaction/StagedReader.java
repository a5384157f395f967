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
    private static final int WINDOW_BYTES = 1 << 20;
    private static final int NO_MORE = -1;

    /** Takes whole messages. */
    interface Sink {
        /**
         * @param at offset of the first one in the log that is read
         * @param messages position to limit
         */
        void take(long at, ByteBuffer messages, int count) throws IOException;
    }

    /** Told before more is read. */
    interface Turn {
        void more() throws IOException;
    }

    private final MessageLog log;
    private final Turn turn;
    private ByteBuffer window = ByteBuffer.allocate(0);
    private long windowAt;
    private long at;

    StagedReader(MessageLog log, Turn turn) {
        this.log = log;
        this.turn = turn;
        this.at = log.startOffset();
    }

    /** How far it has read. */
    long at() {
        return at;
    }

    /** Hands over the messages of the next {@code bytes} bytes. What the disk has lost of them is left out. */
    void read(long bytes, Sink sink) throws IOException {
        long end = at + bytes;
        while (at < end) {
            int start = (int) (at - windowAt);
            int stop = start;
            int count = 0;
            for (int next = end(stop); next != NO_MORE && windowAt + next <= end; next = end(stop)) {
                stop = next;
                count++;
            }
            if (count > 0) {
                at = windowAt + stop;
                sink.take(windowAt + start, window.slice(start, stop - start), count);
            } else {
                at = Math.min(end, turn(end));
            }
        }
    }

    /** Where the message ends that begins there in the window. */
    private int end(int start) {
        if (start + MessageRecord.MESSAGE_HEADER_BYTES > window.limit()) {
            return NO_MORE;
        }
        int body = window.getInt(start);
        return body < 0 || body > window.limit() - start - MessageRecord.MESSAGE_HEADER_BYTES
                ? NO_MORE
                : start + MessageRecord.MESSAGE_HEADER_BYTES + body;
    }

    /** Reads on, and tells where the next message begins: behind what cannot be read. */
    private long turn(long end) throws IOException {
        turn.more();
        long behind = fill(WINDOW_BYTES);
        if (end(0) == NO_MORE && behind == at && window.limit() >= Integer.BYTES) {
            long wanted = (long) MessageRecord.MESSAGE_HEADER_BYTES + window.getInt(0);
            if (wanted > window.limit() && wanted <= end - at) {
                behind = fill((int) wanted);
            }
        }
        if (end(0) != NO_MORE) {
            return at;
        }
        long next = behind > at ? behind : end;
        LOG.log(Level.ERROR, "messages of a transaction are lost: bytes {0} to {1} of its own log", at, next);
        window.limit(0);
        return next;
    }

    /**
     * Reads from {@link #at} on, into a window of its own: the one before may be in use yet.
     *
     * @return where the log goes on behind a damaged range that ends the window; {@link #at} when none does
     */
    private long fill(int bytes) throws IOException {
        window = ByteBuffer.allocate((int) Math.min(bytes, Math.max(0, log.endOffset() - at)));
        windowAt = at;
        long behind = at;
        while (window.hasRemaining() && behind == at) {
            LogSlice slice = log.slice(at + window.position(), window.remaining());
            if (slice == null) {
                behind = Long.MAX_VALUE;
                continue;
            }
            try {
                if (slice.length() == 0) {
                    behind = slice.nextOffset();
                } else {
                    readAll(slice);
                }
            } finally {
                slice.release();
            }
        }
        window.flip();
        return behind;
    }

    private void readAll(LogSlice slice) throws IOException {
        for (int read = 0; read < slice.length(); ) {
            int n = slice.read(window, read);
            if (n < 0) {
                throw new IOException("a file of messages ended early");
            }
            read += n;
        }
    }
}
