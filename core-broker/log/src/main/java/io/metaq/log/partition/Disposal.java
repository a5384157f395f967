package io.metaq.log.partition;

/** What becomes of a segment that retention takes out of a partition log. */
public enum Disposal {
    DELETE,
    /** Renamed to {@code <first offset>.arc}. */
    ARCHIVE,
    /** Packed into {@code <first offset>.zip}; the original goes only after the archive is complete and durable. */
    ARCHIVE_COMPRESSED
}
