package io.metaq.log.journal;

import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A record as it stands in a segment.
 *
 * @param file the segment
 * @param filePosition where in the file it begins, in bytes
 * @param position its journal position
 * @param epoch the leadership under which it was written
 * @param type kind of record; 0 for the journal's own
 * @param flags for type 0: 1 a mark, 2 a filler where salvage took something out
 * @param syncedTo what was known to be durable when it was written
 * @param body valid until the next record is read
 */
public record JournalRecord(
        Path file,
        long filePosition,
        long position,
        int epoch,
        byte type,
        byte flags,
        long syncedTo,
        ByteBuffer body) {}
