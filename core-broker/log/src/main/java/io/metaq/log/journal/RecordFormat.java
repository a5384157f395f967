package io.metaq.log.journal;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The 32 bytes before the body of each record; docs/log-format.md has the table.
 *
 * <p>The checksum is masked with the journal's salt, a random number. A client chooses the bytes of a body and may guess
 * positions; without the salt it cannot make bytes that recovery would take for a record.
 */
final class RecordFormat {

    static final int HEADER_BYTES = 32;

    /** Type of the records that the journal writes for itself; the state machine never sees them. */
    static final byte TYPE_JOURNAL = 0;

    /** Flag of a {@link #TYPE_JOURNAL} record that only carries {@code syncedTo}. */
    static final byte FLAG_MARK = 1;

    /** Flag of a {@link #TYPE_JOURNAL} record that stands where salvage took a damaged range out. */
    static final byte FLAG_FILLER = 2;

    static final int LENGTH = 0;
    static final int CHECKSUM = 4;
    static final int POSITION = 8;
    static final int SYNCED_TO = 16;
    static final int EPOCH = 24;
    static final int TYPE = 28;
    static final int FLAGS = 29;

    private RecordFormat() {}

    /** Writes all of the header but the checksum. */
    static void putHeader(
            ByteBuffer out, int at, int bodyLength, long position, long syncedTo, int epoch, byte type, byte flags) {
        out.putInt(at + LENGTH, bodyLength);
        out.putInt(at + CHECKSUM, 0);
        out.putLong(at + POSITION, position);
        out.putLong(at + SYNCED_TO, syncedTo);
        out.putInt(at + EPOCH, epoch);
        out.put(at + TYPE, type);
        out.put(at + FLAGS, flags);
        out.putShort(at + FLAGS + 1, (short) 0);
    }

    /** Checksum of a record of which header and body stand in one piece from {@code at} on. */
    static int checksum(CRC32C crc, ByteBuffer view, int at, int bodyLength, int salt) {
        crc.reset();
        view.limit(at + HEADER_BYTES + bodyLength).position(at + POSITION);
        crc.update(view);
        view.clear();
        return (int) crc.getValue() ^ salt;
    }
}
