package io.metaq.log.partition;

/**
 * How a partition log is kept.
 *
 * @param maxSegmentBytes a segment is closed before it would grow beyond this (one append is never split)
 */
public record PartitionLogConfig(long maxSegmentBytes) {

    public PartitionLogConfig {
        if (maxSegmentBytes < 1024) {
            throw new IllegalArgumentException("maxSegmentBytes must be at least 1024");
        }
    }

    public static PartitionLogConfig ofSegmentBytes(long bytes) {
        return new PartitionLogConfig(bytes);
    }
}
