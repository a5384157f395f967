package io.metaq.log.journal;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Many threads put in, one takes everything at once. A stack linked through the proposals themselves, so that nothing is
 * allocated and a taker never meets a half-done put; taking turns the order round.
 */
final class ProposalQueue {

    private static final Proposal CLOSED = new ClosedMark();

    private final AtomicReference<@Nullable Proposal> newest = new AtomicReference<>();
    private final AtomicLong bytes = new AtomicLong();
    private final long maxBytes;

    ProposalQueue(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    enum Offer {
        /** The queue was empty: the taker may have to be woken. */
        FIRST,
        ADDED,
        FULL,
        CLOSED
    }

    Offer offer(Proposal proposal) {
        long size = sizeOf(proposal);
        long before = bytes.getAndAdd(size);
        if (before > 0 && before + size > maxBytes) {
            bytes.addAndGet(-size);
            return Offer.FULL;
        }
        while (true) {
            Proposal head = newest.get();
            if (head == CLOSED) {
                bytes.addAndGet(-size);
                return Offer.CLOSED;
            }
            proposal.next = head;
            if (newest.compareAndSet(head, proposal)) {
                return head == null ? Offer.FIRST : Offer.ADDED;
            }
        }
    }

    boolean isEmpty() {
        Proposal head = newest.get();
        return head == null || head == CLOSED;
    }

    /** Whether at least this many wait. For the taker only: nobody else must take what this looks through. */
    boolean holds(int count) {
        int found = 0;
        for (Proposal at = newest.get(); at != null && at != CLOSED; at = at.next) {
            if (++found >= count) {
                return true;
            }
        }
        return false;
    }

    /** All proposals, the oldest first, linked by {@link Proposal#next}; null when there is none. */
    @Nullable
    Proposal takeAll() {
        if (isEmpty()) {
            return null;
        }
        return oldestFirst(newest.getAndSet(null));
    }

    /** As {@link #takeAll}, and nothing is taken in from now on. */
    @Nullable
    Proposal close() {
        return oldestFirst(newest.getAndSet(CLOSED));
    }

    /** The bytes of proposals that were answered make room for others. */
    void release(long size) {
        bytes.addAndGet(-size);
    }

    long bytes() {
        return bytes.get();
    }

    static long sizeOf(Proposal proposal) {
        return (long) RecordFormat.HEADER_BYTES + proposal.bodyLength();
    }

    private static @Nullable Proposal oldestFirst(@Nullable Proposal head) {
        Proposal reversed = null;
        Proposal at = head == CLOSED ? null : head;
        while (at != null) {
            Proposal older = at.next;
            at.next = reversed;
            reversed = at;
            at = older;
        }
        return reversed;
    }

    private static final class ClosedMark extends Proposal {

        @Override
        public byte type() {
            return RecordFormat.TYPE_JOURNAL;
        }

        @Override
        public Durability durability() {
            return Durability.OS;
        }

        @Override
        public int bodyLength() {
            return 0;
        }

        @Override
        public int body(ByteBuffer[] into, int at) {
            return 0;
        }

        @Override
        public void committed() {}

        @Override
        public void failed(Throwable cause) {}
    }
}
