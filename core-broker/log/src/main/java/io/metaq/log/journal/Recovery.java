package io.metaq.log.journal;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads the journal when it is opened. Goes from record to record and stops at the first place {@code p} where no valid
 * record of the same or a later epoch begins. A valid record anywhere behind {@code p} that knew positions beyond
 * {@code p} to be durable shows that something durable is gone: damage, refused. Without such a record nothing behind
 * {@code p} was ever promised: a torn tail, which {@link TornTail} cuts off.
 */
final class Recovery {

    private final JournalConfig config;
    private final SegmentChain chain;

    private long position;
    private long durable;
    private int epoch;

    Recovery(JournalConfig config, SegmentChain chain) {
        this.config = config;
        this.chain = chain;
    }

    /** Applies the records from {@code from} on; where it stopped is {@link #position()}, in {@link #segment}. */
    Segment replay(long from, StateMachine state) throws IOException {
        Segment at = chain.holding(from);
        if (at == null || from > at.limit()) {
            Segment nearest = at == null ? chain.all().get(0) : at;
            throw new JournalDamagedException(
                    nearest.path(), 0, from, "the journal has nothing of what follows the checkpoint");
        }
        if (!at.hasHeader()) {
            throw new JournalDamagedException(at.path(), 0, from, "the segment's header is damaged");
        }
        position = from;
        durable = from;
        while (true) {
            applyAll(at, state);
            Segment next = chain.after(at);
            if (next == null || next.base() != position || !next.hasHeader()) {
                return at;
            }
            at.close();
            at = next;
        }
    }

    private void applyAll(Segment segment, StateMachine state) throws IOException {
        SegmentCursor cursor = new SegmentCursor(segment, chain.salt(), position);
        boolean pending = false;
        while (true) {
            if (pending && !cursor.nextIsLoaded()) {
                state.endOfBatch(position);
                pending = false;
            }
            if (!cursor.advance() || cursor.epoch() < epoch) {
                break;
            }
            epoch = cursor.epoch();
            durable = Math.max(durable, cursor.syncedTo());
            position = cursor.end();
            if (cursor.type() != RecordFormat.TYPE_JOURNAL) {
                state.apply(cursor.position(), epoch, cursor.type(), cursor.body(), null);
            }
            pending = true;
        }
        if (pending) {
            state.endOfBatch(position);
        }
    }

    /** Where no further valid record begins. */
    long position() {
        return position;
    }

    /** The highest epoch seen. */
    int epoch() {
        return epoch;
    }

    /** The last valid record behind {@link #position()} of {@code stoppedIn} and the segments after it. */
    LaterRecords later(Segment stoppedIn) throws IOException {
        LaterRecords later = new LaterRecords();
        Segment at = stoppedIn;
        while (at != null) {
            later.lookThrough(at, chain.salt(), Math.max(position, at.base()));
            at = chain.after(at);
        }
        return later;
    }

    /**
     * Writes once more what may have been only in the system's cache, and syncs it. Had an earlier sync failed, the cache
     * would hold bytes that the disk does not, marked clean: a sync alone would succeed and store nothing.
     */
    void makeDurable(Segment last) throws IOException {
        Segment at = chain.holding(durable);
        ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
        while (at != null && at.base() <= last.base()) {
            rewrite(at, buffer);
            at.file().sync();
            if (at != last) {
                at.close();
            }
            at = chain.after(at);
        }
    }

    private void rewrite(Segment segment, ByteBuffer buffer) throws IOException {
        long from = Math.max(durable, segment.base());
        long to = segment.filePosition(Math.min(position, segment.limit()));
        long at = from == segment.base() ? 0 : segment.filePosition(from);
        while (at < to) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), to - at));
            int read = segment.file().read(buffer, at);
            if (read <= 0) {
                return;
            }
            segment.file().write(buffer.flip(), at);
            at += read;
        }
    }
}
