package io.metaq.log.partition;

import io.metaq.log.file.Storage;
import io.metaq.log.file.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** Walks over the messages of one segment file and checks them. */
public final class MessageScan {

    /** Bytes before the body of a message. */
    public static final int HEADER_BYTES = 20;

    private static final int WINDOW_BYTES = 1 << 20;

    /** No body is longer: it would not have fitted into the journal. */
    private static final int MAX_BODY_BYTES = 256 << 20;

    /** Bytes that are no message may look like the length of a long one; reading that far from each costs too much. */
    private static final int MAX_BODY_BYTES_AFTER_DAMAGE = 4 << 20;

    private static final int CHECKSUM_AT = 4;
    private static final int ID_AT = 8;
    private static final int FLAG_AT = 16;

    /** Told of each good message. */
    @FunctionalInterface
    public interface Visitor {

        /**
         * @param position where the message begins in the file
         * @param body the body; valid during the call
         */
        void message(long position, long id, int flag, ByteBuffer body) throws IOException;
    }

    private final StorageFile file;
    private final long limit;
    private final CRC32 crc = new CRC32();
    private ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES);
    private long windowStart;
    private int windowBytes;

    private MessageScan(StorageFile file, long limit) {
        this.file = file;
        this.limit = limit;
    }

    /**
     * Checks the messages of a segment file.
     *
     * @param limit length of the part to look at, in bytes
     * @return ranges of the file that are no good messages, as positions in the file; the last one may be a message that
     *     is not complete
     */
    public static List<DamagedRange> check(Storage storage, Path segment, long limit, Visitor visitor)
            throws IOException {
        try (StorageFile file = storage.open(segment, StandardOpenOption.READ)) {
            return new MessageScan(file, Math.min(limit, file.size())).check(visitor);
        }
    }

    /** As {@link #check(Storage, Path, long, Visitor)}, with offsets of the partition in and out. */
    static List<DamagedRange> check(Storage storage, PartitionSegment segment, long end) throws IOException {
        long base = segment.base();
        return check(storage, segment.file().path, end - base, (position, id, flag, body) -> {}).stream()
                .map(range -> new DamagedRange(base + range.from(), base + range.to()))
                .toList();
    }

    /** Number of messages by their lengths, without a look at the bodies. */
    static long count(Storage storage, Path segment, long from, long limit) throws IOException {
        if (from >= limit) {
            return 0;
        }
        try (StorageFile file = storage.open(segment, StandardOpenOption.READ)) {
            MessageScan scan = new MessageScan(file, Math.min(limit, file.size()));
            long count = 0;
            long at = from;
            while (scan.holds(at, HEADER_BYTES)) {
                int length = scan.window.getInt((int) (at - scan.windowStart));
                if (length < 0) {
                    break;
                }
                at += HEADER_BYTES + (long) length;
                count++;
            }
            return count;
        }
    }

    private List<DamagedRange> check(Visitor visitor) throws IOException {
        List<DamagedRange> damaged = new ArrayList<>();
        long at = 0;
        while (at < limit) {
            long next = good(at, MAX_BODY_BYTES, visitor);
            if (next < 0) {
                next = resume(at);
                damaged.add(new DamagedRange(at, next));
            }
            at = next;
        }
        return damaged;
    }

    /**
     * Where the next good message begins after a bad one: at the place its length tells, when a good one is there, else
     * at the first place where a good one is found.
     */
    private long resume(long bad) throws IOException {
        if (holds(bad, HEADER_BYTES)) {
            int length = window.getInt((int) (bad - windowStart));
            long told = bad + HEADER_BYTES + length;
            if (length >= 0 && (told == limit || (told < limit && good(told, MAX_BODY_BYTES_AFTER_DAMAGE, null) > 0))) {
                return told;
            }
        }
        for (long at = bad + 1; at + HEADER_BYTES <= limit; at++) {
            if (good(at, MAX_BODY_BYTES_AFTER_DAMAGE, null) > 0) {
                return at;
            }
        }
        return limit;
    }

    /** End of the good message that begins here, -1 when there is none. */
    private long good(long at, int maxBodyBytes, @Nullable Visitor visitor) throws IOException {
        if (!holds(at, HEADER_BYTES)) {
            return -1;
        }
        int length = window.getInt((int) (at - windowStart));
        int checksum = window.getInt((int) (at - windowStart) + CHECKSUM_AT);
        if (length < 0
                || length > maxBodyBytes
                || checksum < 0
                || at + HEADER_BYTES + length > limit
                || !holds(at, HEADER_BYTES + length)) {
            return -1;
        }
        int offset = (int) (at - windowStart);
        crc.reset();
        crc.update(window.array(), offset + HEADER_BYTES, length);
        if (((int) crc.getValue() & 0x7FFFFFFF) != checksum) {
            return -1;
        }
        if (length == 0 && window.getLong(offset + ID_AT) == 0 && window.getInt(offset + FLAG_AT) == 0) {
            return -1; // zeros look like an empty message: a hole that the file system filled
        }
        if (visitor != null) {
            ByteBuffer body = window.slice(offset + HEADER_BYTES, length).asReadOnlyBuffer();
            visitor.message(at, window.getLong(offset + ID_AT), window.getInt(offset + FLAG_AT), body);
        }
        return at + HEADER_BYTES + length;
    }

    private boolean holds(long from, int bytes) throws IOException {
        if (from >= windowStart && from + bytes <= windowStart + windowBytes) {
            return true;
        }
        if (from + bytes > limit) {
            return false;
        }
        if (bytes > window.capacity()) {
            window = ByteBuffer.allocate(bytes);
        }
        window.clear().limit((int) Math.min(window.capacity(), limit - from));
        while (window.hasRemaining() && file.read(window, from + window.position()) > 0) {
            continue;
        }
        windowStart = from;
        windowBytes = window.position();
        window.clear();
        return windowBytes >= bytes;
    }
}
