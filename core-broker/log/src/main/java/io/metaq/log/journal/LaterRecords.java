package io.metaq.log.journal;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** What is valid behind the place where recovery stopped. */
final class LaterRecords {

    private final Map<Segment, Long> ends = new LinkedHashMap<>();
    private long first = -1;
    private long syncedTo = -1;

    /** Looks for records at every byte from {@code from} on. */
    void lookThrough(Segment segment, int salt, long from) throws IOException {
        SegmentCursor cursor = new SegmentCursor(segment, salt, from);
        boolean found = cursor.seek(from);
        while (found) {
            first = first < 0 ? cursor.position() : first;
            syncedTo = Math.max(syncedTo, cursor.syncedTo());
            ends.put(segment, cursor.end());
            found = cursor.advance() || cursor.seek(cursor.end());
        }
    }

    /** Where the first of them begins, -1 when there is none. */
    long first() {
        return first;
    }

    /** The highest position that one of them knew to be durable, -1 when there is none. */
    long syncedTo() {
        return syncedTo;
    }

    /** End of the last of them inside this segment, {@code otherwise} when none is there. */
    long endIn(Segment segment, long otherwise) {
        return ends.getOrDefault(segment, otherwise);
    }
}
