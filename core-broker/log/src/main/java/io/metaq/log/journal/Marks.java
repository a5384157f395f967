package io.metaq.log.journal;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Encodes the records that the journal writes for itself. */
final class Marks {

    private Marks() {}

    /** A record without a body. */
    static ByteBuffer mark(long position, long syncedTo, int epoch, int salt) {
        return encode(position, 0, syncedTo, epoch, RecordFormat.FLAG_MARK, salt);
    }

    /** A record with a body of zeros, which fills {@code [from, to)}. */
    static ByteBuffer filler(long from, long to, int epoch, int salt) {
        int length = (int) (to - from) - RecordFormat.HEADER_BYTES;
        return encode(from, length, 0, epoch, RecordFormat.FLAG_FILLER, salt);
    }

    private static ByteBuffer encode(long position, int length, long syncedTo, int epoch, byte flags, int salt) {
        ByteBuffer record = ByteBuffer.allocate(RecordFormat.HEADER_BYTES + length);
        RecordFormat.putHeader(record, 0, length, position, syncedTo, epoch, RecordFormat.TYPE_JOURNAL, flags);
        int checksum = RecordFormat.checksum(new CRC32C(), record.duplicate(), 0, length, salt);
        record.putInt(RecordFormat.CHECKSUM, checksum);
        return record.clear();
    }
}
