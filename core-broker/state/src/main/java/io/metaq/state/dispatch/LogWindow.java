package io.metaq.state.dispatch;

import io.metaq.log.partition.LogSlice;
import io.metaq.log.partition.MessageLog;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * The part of a partition log that is being looked at. Reads ahead the further the longer it goes on in sequence; a
 * message is looked at only when the whole of it is in memory.
 */
final class LogWindow {
    static final int HEADER_BYTES = 20;

    private static final int CHECKSUM_AT = 4;
    private static final int ID_AT = 8;
    private static final int FLAG_AT = 16;
    private static final int FIRST_BYTES = 8 << 10;
    private static final int MOST_AHEAD = 128 << 10;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final MessageLog log;
    private final Scratch scratch;
    private ByteBuffer bytes = NOTHING;
    private long start;
    private int length;
    private int ahead = FIRST_BYTES;
    private long resume;

    LogWindow(MessageLog log, Scratch scratch) {
        this.log = log;
        this.scratch = scratch;
    }

    /** Whether the whole message at {@code offset} is in memory. */
    boolean holds(long offset) {
        if (!scratch.belongsTo(this)) {
            return false;
        }
        long at = offset - start;
        return at >= 0 && at + HEADER_BYTES <= length && at + HEADER_BYTES + bytes.getInt((int) at) <= length;
    }

    /**
     * Gets the whole message at {@code offset} into memory.
     *
     * @return false if there is none at that place: {@link #resume} says where to go on
     */
    boolean seek(long offset) throws IOException {
        if (holds(offset)) {
            return true;
        }
        boolean sequential = offset >= start && offset <= start + length && length > 0;
        ahead = sequential ? Math.min(MOST_AHEAD, ahead * 2) : FIRST_BYTES;
        if (!load(offset, ahead)) {
            return false;
        }
        if (length < HEADER_BYTES) {
            throw new EOFException("a message at offset " + offset + " ends after " + length + " bytes");
        }
        int body = bytes.getInt(0);
        if (!plausible(offset)) {
            throw new IOException("no message begins at offset " + offset + ": its length would be " + body);
        }
        if (HEADER_BYTES + body > length) {
            load(offset, HEADER_BYTES + body);
        }
        if (!holds(offset)) {
            throw new EOFException(
                    "the message at offset " + offset + " has " + body + " bytes, but the log ends before");
        }
        return true;
    }

    private boolean plausible(long offset) {
        int body = bytes.getInt((int) (offset - start));
        return body >= 0 && offset + HEADER_BYTES + body <= log.endOffset();
    }

    /** Whether a message begins at an offset that somebody has named; if so it is in memory. */
    boolean begins(long offset) throws IOException {
        if (!holds(offset) && (!load(offset, FIRST_BYTES) || length < HEADER_BYTES || !plausible(offset))) {
            return false;
        }
        return seek(offset) && intact(offset);
    }

    private boolean load(long offset, int wanted) throws IOException {
        start = offset;
        length = 0;
        LogSlice slice = log.slice(offset, wanted);
        if (slice == null) {
            resume = Math.max(offset, log.startOffset());
            return false;
        }
        try {
            resume = slice.nextOffset();
            if (slice.length() == 0) {
                return false;
            }
            bytes = scratch.lend(this, slice.length());
            bytes.limit(slice.length());
            while (length < slice.length()) {
                int more = slice.read(bytes, length);
                if (more < 0) {
                    throw new EOFException("the partition log ends before its readable end, at " + (offset + length));
                }
                length += more;
            }
            return true;
        } finally {
            slice.release();
        }
    }

    /** Where to go on when {@link #seek} found no message: the same offset when it is not there yet. */
    long resume() {
        return resume;
    }

    /** Bytes of the whole message at {@code offset}, which must be in memory. */
    int size(long offset) {
        return HEADER_BYTES + bytes.getInt((int) (offset - start));
    }

    int flag(long offset) {
        return bytes.getInt((int) (offset - start) + FLAG_AT);
    }

    long id(long offset) {
        return bytes.getLong((int) (offset - start) + ID_AT);
    }

    ByteBuffer body(long offset) {
        int at = (int) (offset - start);
        return bytes.slice(at + HEADER_BYTES, bytes.getInt(at));
    }

    /** Whether the checksum says that a message begins at {@code offset}. */
    private boolean intact(long offset) {
        CRC32 crc = new CRC32();
        crc.update(body(offset));
        return ((int) crc.getValue() & 0x7FFFFFFF) == bytes.getInt((int) (offset - start) + CHECKSUM_AT);
    }

    /** The bytes between two offsets, which must be in memory; valid until the next {@link #seek}. */
    ByteBuffer bytes(long from, long to) {
        return bytes.slice((int) (from - start), (int) (to - from));
    }

    /** Lets go of memory that is not shared. */
    void rest() {
        if (bytes.capacity() > Scratch.BYTES) {
            scratch.giveBack(this);
            bytes = NOTHING;
            length = 0;
        }
    }
}
