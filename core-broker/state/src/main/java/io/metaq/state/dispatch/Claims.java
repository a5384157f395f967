package io.metaq.state.dispatch;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Finds the messages that a consumer names by ranges: those it has, and those that nobody has. */
final class Claims {
    /** What is not leased has to be read to be counted; a consumer that reconnected names no more than it had. */
    private static final long MOST_READ_BYTES = 16 << 20;

    /** Told of each lease. */
    interface Visitor {
        void lease(Lane lane, LeaseRun run);
    }

    private final Dispatch dispatch;
    private long mayRead;

    Claims(Dispatch dispatch) {
        this.dispatch = dispatch;
    }

    /** The leases of a consumer that lie wholly inside the ranges, each split where a range ends. */
    void forEachLease(Subscriber holder, ClaimedRanges ranges, Visitor visitor) {
        ranges.forEach((partition, from, to) -> {
            Lane lane = lane(partition);
            long at = from;
            while (lane != null && at < to) {
                LeaseRun run = lane.leases.atOrAfter(at);
                if (run == null || run.from() >= to) {
                    return;
                }
                long end = run.to();
                int first = run.firstFrom(at);
                int last = run.countUntil(to);
                if (run.holder == holder && first < last) {
                    visitor.lease(lane, lane.leases.split(run, first, last));
                }
                at = end;
            }
        });
    }

    /** Takes what the ranges name for an acknowledgement. */
    void claim(Subscriber holder, ClaimedRanges ranges, AckTicket ticket) {
        mayRead = MOST_READ_BYTES;
        ranges.forEach((partition, from, to) -> {
            Lane lane = lane(partition);
            if (lane == null || holder.walk != null) {
                ticket.miss(1);
                return;
            }
            claim(lane, holder, from, to, ticket);
        });
    }

    private @Nullable Lane lane(int partition) {
        return partition >= 0 && partition < dispatch.lanes.size() ? dispatch.lanes.get(partition) : null;
    }

    private void claim(Lane lane, Subscriber holder, long from, long to, AckTicket ticket) {
        long at = from;
        while (at < to) {
            LeaseRun run = lane.leases.atOrAfter(at);
            if (run == null || run.from() >= to) {
                claimUnleased(lane, at, to, ticket);
                return;
            }
            if (run.from() > at) {
                claimUnleased(lane, at, run.from(), ticket);
            }
            long end = run.to();
            int first = run.firstFrom(at);
            int last = run.countUntil(to);
            if (run.holder == holder && first < last) {
                ticket.take(lane, lane.leases.split(run, first, last));
            } else {
                ticket.miss(Math.max(1, last - first));
            }
            at = end;
        }
    }

    /** After a reconnect a consumer acknowledges what it had before: that is right unless somebody has it now. */
    private void claimUnleased(Lane lane, long from, long to, AckTicket ticket) {
        long at = from;
        try {
            while (at < to && mayRead > 0) {
                long pending = lane.cursor.nextPending(at);
                if (pending > at) {
                    ticket.miss(1);
                    at = pending;
                    continue;
                }
                if (at >= lane.log().endOffset() || !lane.window.begins(at)) {
                    break;
                }
                int size = lane.window.size(at);
                mayRead -= size;
                if (at + size > to) {
                    break;
                }
                take(lane, at, size, ticket);
                at += size;
            }
        } catch (IOException e) {
            dispatch.unreadable(lane, e);
        }
        if (at < to) {
            ticket.miss(1);
        }
    }

    private void take(Lane lane, long offset, int size, AckTicket ticket) {
        LeaseRun run = new LeaseRun(
                offset,
                new int[] {size},
                0,
                1,
                lane.nextDelivery(offset),
                lane.priority(offset),
                null,
                dispatch.effects.nowMs());
        lane.cameBack.remove(offset);
        lane.leases.add(run);
        ticket.take(lane, run);
    }
}
