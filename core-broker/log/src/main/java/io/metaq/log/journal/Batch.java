package io.metaq.log.journal;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The records that are written together: their proposals, and their bytes as a list of buffers. Bodies are copied into
 * one buffer outside the heap, headers between them, so that the usual batch is one piece of memory; a body that does not
 * fit is written from where it is. All of it is used again for the next batch.
 */
final class Batch {

    private static final int NOT_STAGED = -1;

    private final int maxBytes;
    private final int salt;
    private final int epoch;
    private final CRC32C crc = new CRC32C();
    private final ByteBuffer staging;
    private final ByteBuffer view;
    private final ByteBuffer[] parts = new ByteBuffer[Proposal.MAX_PARTS];

    private Proposal[] proposals = new Proposal[256];
    private int[] bodyAt = new int[256];
    private @Nullable ByteBuffer[] separateBody = new ByteBuffer[256];
    private int count;

    private final ByteBuffer[] gather = new ByteBuffer[2 * Proposal.MAX_PARTS + 4];
    private int gathered;
    private int gatheredTo;

    private long start;
    private long end;
    private boolean wantsSync;

    Batch(int maxBytes, int salt, int epoch) {
        this.maxBytes = maxBytes;
        this.salt = salt;
        this.epoch = epoch;
        this.staging = ByteBuffer.allocateDirect(maxBytes + SegmentFormat.BLOCK_BYTES);
        this.view = staging.duplicate();
    }

    /** Forgets everything; the next record will stand at this journal position. */
    void begin(long position) {
        Arrays.fill(proposals, 0, count, null);
        Arrays.fill(separateBody, 0, count, null);
        Arrays.fill(gather, 0, gathered, null);
        staging.clear();
        count = 0;
        gathered = 0;
        gatheredTo = 0;
        start = position;
        end = position;
        wantsSync = false;
    }

    /** Whether a record with a body of this length still fits; a batch of one may be of any length. */
    boolean accepts(int bodyLength) {
        return count == 0 || end - start + RecordFormat.HEADER_BYTES + bodyLength <= maxBytes;
    }

    void add(Proposal proposal, long syncedTo) {
        grow();
        int bodyLength = proposal.bodyLength();
        int header = staging.position();
        RecordFormat.putHeader(staging, header, bodyLength, end, syncedTo, epoch, proposal.type(), (byte) 0);
        int n = proposal.body(parts, 0);
        if (RecordFormat.HEADER_BYTES + bodyLength <= maxBytes - header) {
            stage(header, bodyLength, n);
        } else {
            writeSeparately(header, bodyLength, n);
        }
        Arrays.fill(parts, 0, n, null);
        proposals[count++] = proposal;
        proposal.position(end);
        end += RecordFormat.HEADER_BYTES + bodyLength;
        wantsSync |= proposal.durability() == Durability.DISK;
    }

    private void stage(int header, int bodyLength, int n) {
        staging.position(header + RecordFormat.HEADER_BYTES);
        for (int i = 0; i < n; i++) {
            staging.put(parts[i]);
        }
        requireLength(staging.position() - header - RecordFormat.HEADER_BYTES, bodyLength);
        staging.putInt(header + RecordFormat.CHECKSUM, RecordFormat.checksum(crc, view, header, bodyLength, salt));
        bodyAt[count] = header + RecordFormat.HEADER_BYTES;
    }

    private void writeSeparately(int header, int bodyLength, int n) {
        staging.position(header + RecordFormat.HEADER_BYTES);
        crc.reset();
        view.limit(header + RecordFormat.HEADER_BYTES).position(header + RecordFormat.POSITION);
        crc.update(view);
        view.clear();
        int length = 0;
        for (int i = 0; i < n; i++) {
            length += parts[i].remaining();
            crc.update(parts[i].duplicate());
        }
        requireLength(length, bodyLength);
        staging.putInt(header + RecordFormat.CHECKSUM, (int) crc.getValue() ^ salt);
        gatherStaged();
        for (int i = 0; i < n; i++) {
            gather[gathered++] = parts[i].duplicate();
        }
        bodyAt[count] = NOT_STAGED;
        separateBody[count] = n == 1 ? parts[0] : null;
    }

    private static void requireLength(int length, int promised) {
        if (length != promised) {
            throw new IllegalStateException("a proposal promised a body of " + promised + " bytes and gave " + length);
        }
    }

    private void gatherStaged() {
        if (staging.position() > gatheredTo) {
            gather[gathered++] = staging.slice(gatheredTo, staging.position() - gatheredTo);
            gatheredTo = staging.position();
        }
    }

    /**
     * Adds zeros up to a whole block and closes the batch.
     *
     * @param filePosition where in the file the batch will be written
     * @return number of buffers in {@link #buffers()}
     */
    int seal(long filePosition) {
        int over = (int) ((filePosition + end - start) % SegmentFormat.BLOCK_BYTES);
        if (over != 0) {
            int padding = SegmentFormat.BLOCK_BYTES - over;
            for (int i = 0; i < padding; i++) {
                staging.put((byte) 0);
            }
        }
        gatherStaged();
        return gathered;
    }

    ByteBuffer[] buffers() {
        return gather;
    }

    int count() {
        return count;
    }

    Proposal proposal(int index) {
        return proposals[index];
    }

    /** The body of a record in one piece; null when it was written from several. */
    @Nullable
    ByteBuffer body(int index) {
        int at = bodyAt[index];
        if (at == NOT_STAGED) {
            return separateBody[index];
        }
        return view.limit(at + proposals[index].bodyLength()).position(at);
    }

    /** Journal position after the last record. */
    long end() {
        return end;
    }

    boolean wantsSync() {
        return wantsSync;
    }

    private void grow() {
        if (count == proposals.length) {
            proposals = Arrays.copyOf(proposals, 2 * count);
            bodyAt = Arrays.copyOf(bodyAt, 2 * count);
            separateBody = Arrays.copyOf(separateBody, 2 * count);
        }
    }
}
