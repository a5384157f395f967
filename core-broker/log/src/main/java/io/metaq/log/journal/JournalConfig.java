package io.metaq.log.journal;

import java.nio.file.Path;

/**
 * How a journal is kept.
 *
 * @param directory where the segments are
 * @param attic where ranges go that recovery cuts off
 * @param segmentBytes size of one segment file, rounded down to whole blocks of 4096; a record with its header must fit
 *     into one
 * @param maxBatchBytes most bytes written and synced as one batch (a longer record is a batch of its own)
 * @param maxQueuedBytes most bytes of proposals that wait; beyond it {@link Journal#offer} returns false
 * @param flushIntervalMs at most this long after its writing a record that asked for {@link Durability#OS} is synced
 * @param maxFreeSegments most segments kept for reuse; more are deleted
 * @param epoch the leadership under which records are written
 */
public record JournalConfig(
        Path directory,
        Path attic,
        int segmentBytes,
        int maxBatchBytes,
        long maxQueuedBytes,
        int flushIntervalMs,
        int maxFreeSegments,
        int epoch) {

    public static final int DEFAULT_SEGMENT_BYTES = 64 << 20;

    public JournalConfig {
        require(segmentBytes >= 16 << 10, "segmentBytes must be at least 16384");
        segmentBytes -= segmentBytes % SegmentFormat.BLOCK_BYTES;
        require(maxBatchBytes >= 4 << 10, "maxBatchBytes must be at least 4096");
        require(maxQueuedBytes > 0, "maxQueuedBytes must be positive");
        require(flushIntervalMs > 0, "flushIntervalMs must be positive");
        require(maxFreeSegments >= 1, "maxFreeSegments must be at least 1");
        require(epoch >= 0, "epoch must not be negative");
    }

    /** The defaults, with the attic beside the journal's directory. */
    public static JournalConfig of(Path directory) {
        return new JournalConfig(
                directory, directory.resolveSibling("attic"), DEFAULT_SEGMENT_BYTES, 1 << 20, 64L << 20, 1000, 16, 1);
    }

    public JournalConfig withSegmentBytes(int bytes) {
        return new JournalConfig(
                directory, attic, bytes, maxBatchBytes, maxQueuedBytes, flushIntervalMs, maxFreeSegments, epoch);
    }

    public JournalConfig withMaxBatchBytes(int bytes) {
        return new JournalConfig(
                directory, attic, segmentBytes, bytes, maxQueuedBytes, flushIntervalMs, maxFreeSegments, epoch);
    }

    public JournalConfig withMaxQueuedBytes(long bytes) {
        return new JournalConfig(
                directory, attic, segmentBytes, maxBatchBytes, bytes, flushIntervalMs, maxFreeSegments, epoch);
    }

    public JournalConfig withFlushIntervalMs(int ms) {
        return new JournalConfig(
                directory, attic, segmentBytes, maxBatchBytes, maxQueuedBytes, ms, maxFreeSegments, epoch);
    }

    public JournalConfig withMaxFreeSegments(int segments) {
        return new JournalConfig(
                directory, attic, segmentBytes, maxBatchBytes, maxQueuedBytes, flushIntervalMs, segments, epoch);
    }

    public JournalConfig withEpoch(int newEpoch) {
        return new JournalConfig(
                directory,
                attic,
                segmentBytes,
                maxBatchBytes,
                maxQueuedBytes,
                flushIntervalMs,
                maxFreeSegments,
                newEpoch);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
