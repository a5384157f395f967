package io.metaq.log.journal;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The first 4096 bytes of a segment file; docs/log-format.md has the table. The header has a block of its own so that no
 * later write touches the block it is in.
 *
 * @param base journal position of the first record
 * @param segmentBytes length of the file
 * @param salt masks the checksums of the records, the same in all segments of a journal
 * @param epoch the leadership under which the segment was begun
 */
record SegmentFormat(long base, int segmentBytes, int salt, int epoch) {

    /** Bytes before the first record. */
    static final int HEADER_BYTES = 4096;

    /** Writes end on a multiple of this, so that the system never has to read a page in order to write a part of it. */
    static final int BLOCK_BYTES = 4096;

    static final int VERSION = 1;

    private static final long MAGIC = 0x4D455441514A4E4CL; // "METAQJNL"
    private static final int USED_BYTES = 64;
    private static final int VERSION_AT = 8;
    private static final int CHECKSUM_AT = 12;
    private static final int BASE_AT = 16;
    private static final int SEGMENT_BYTES_AT = 24;
    private static final int SALT_AT = 28;
    private static final int EPOCH_AT = 32;

    private static final String SUFFIX = ".journal";
    private static final String FREE_PREFIX = "free-";

    static String fileName(long base) {
        return String.format("%020d%s", base, SUFFIX);
    }

    static String freeName(long number) {
        return String.format("%s%06d%s", FREE_PREFIX, number, SUFFIX);
    }

    static boolean isFreeName(String name) {
        return name.startsWith(FREE_PREFIX) && name.endsWith(SUFFIX);
    }

    /** The base that a file name tells, -1 when it is not the name of a segment in use. */
    static long baseOf(String name) {
        if (!name.endsWith(SUFFIX) || name.length() != 20 + SUFFIX.length()) {
            return -1;
        }
        String digits = name.substring(0, 20);
        return digits.chars().allMatch(c -> c >= '0' && c <= '9') ? Long.parseLong(digits) : -1;
    }

    /** The whole header block, ready to be written. */
    ByteBuffer encode() {
        ByteBuffer block = ByteBuffer.allocate(HEADER_BYTES);
        block.putLong(0, MAGIC);
        block.putInt(VERSION_AT, VERSION);
        block.putLong(BASE_AT, base);
        block.putInt(SEGMENT_BYTES_AT, segmentBytes);
        block.putInt(SALT_AT, salt);
        block.putInt(EPOCH_AT, epoch);
        block.putInt(CHECKSUM_AT, checksum(block));
        return block;
    }

    /** Null when the bytes are not a header that can be trusted. */
    static @Nullable SegmentFormat decode(ByteBuffer block) {
        if (block.limit() < USED_BYTES
                || block.getLong(0) != MAGIC
                || block.getInt(VERSION_AT) != VERSION
                || block.getInt(CHECKSUM_AT) != checksum(block)) {
            return null;
        }
        return new SegmentFormat(
                block.getLong(BASE_AT), block.getInt(SEGMENT_BYTES_AT), block.getInt(SALT_AT), block.getInt(EPOCH_AT));
    }

    private static int checksum(ByteBuffer block) {
        CRC32C crc = new CRC32C();
        crc.update(block.duplicate().limit(USED_BYTES).position(BASE_AT));
        return (int) crc.getValue();
    }
}
