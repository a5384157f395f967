package io.metaq.log.partition;

/**
 * Bytes of a partition log that are no readable messages.
 *
 * @param from offset of the first byte
 * @param to offset where the next good message begins, or would begin
 */
public record DamagedRange(long from, long to) {

    public DamagedRange {
        if (from < 0 || to <= from) {
            throw new IllegalArgumentException("not a range: " + from + " to " + to);
        }
    }

    public long length() {
        return to - from;
    }
}
