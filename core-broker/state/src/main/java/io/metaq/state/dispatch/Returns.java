package io.metaq.state.dispatch;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** What becomes of messages that came back or ran out: pending again, dead letters, dropped. */
final class Returns {
    /** Take the delay from the destination's policy. */
    static final long BY_POLICY = -1;

    /** Moves that may be under way at once; their copies are in memory. */
    private static final int MOST_MOVES = 64;

    private static final long RETRY_MOVE_MS = 1_000;

    private record Burial(Lane lane, LeaseRun run, CameBack message, String reason) {}

    private final Dispatch dispatch;
    private final Effects effects;
    private final Queue<Burial> waiting = new ArrayDeque<>();
    private int moves;

    Returns(Dispatch dispatch, Effects effects) {
        this.dispatch = dispatch;
        this.effects = effects;
    }

    /**
     * The messages of a lease are pending again.
     *
     * @param counted whether they may have been seen
     * @param delayMs how long they rest, or {@link #BY_POLICY}
     * @param dead whether they are to be given up
     */
    void giveBack(Lane lane, LeaseRun run, boolean counted, long delayMs, boolean dead) {
        lane.leases.remove(run);
        dispatch.groups.out(run.group, -run.count());
        long now = effects.nowMs();
        RedeliveryPolicy policy = effects.policy();
        boolean bury = counted && (dead || policy.exhausted(run.deliveryCount)) && mayBury(policy);
        long delay = !counted ? 0 : delayMs == BY_POLICY ? policy.delayAfter(run.deliveryCount) : delayMs;
        long notBeforeMs = delay <= 0 ? 0 : now + delay;
        int next = counted ? run.deliveryCount + 1 : run.deliveryCount;
        for (int i = 0; i < run.count(); i++) {
            long offset = run.start(i);
            if (bury) {
                String reason =
                        dead ? "rejected by its consumer" : "delivered " + run.deliveryCount + " times without success";
                int size = (int) (run.end(i) - offset);
                bury(lane, offset, size, new CameBack(next, 0, run.priority, true), reason);
            } else {
                lane.giveBack(
                        offset, new CameBack(next, notBeforeMs, run.priority, false), now, dispatch.scansOf(lane));
            }
            if (counted) {
                lane.record(offset, notBeforeMs);
            }
        }
        dispatch.wake();
    }

    /** What fails on the dead letter queue itself stays there. */
    private boolean mayBury(RedeliveryPolicy policy) {
        return !dispatch.destination().equals(policy.deadLetterQueue());
    }

    /** Gives a message up that is pending. */
    void bury(Lane lane, long offset, int size, CameBack message, String reason) {
        waiting.add(new Burial(lane, takeOut(lane, offset, size, message), message, reason));
        dispatch.wake();
    }

    /** Keeps everybody off a message that nobody has. */
    LeaseRun takeOut(Lane lane, long offset, int size, CameBack message) {
        lane.cameBack.remove(offset);
        LeaseRun out = new LeaseRun(
                offset, new int[] {size}, 0, 1, message.nextDelivery(), message.priority(), null, effects.nowMs());
        lane.leases.add(out);
        return out;
    }

    /** Moves what waits, as far as it may. */
    void work(Budget budget) {
        while (!waiting.isEmpty() && moves < MOST_MOVES && !budget.spent()) {
            Burial next = waiting.remove();
            Lane lane = next.lane();
            if (!lane.leases.contains(next.run())) {
                continue; // the subscription has been moved meanwhile
            }
            try {
                budget.spend(next.run().to() - next.run().from());
                if (lane.window.seek(next.run().from())) {
                    discard(lane, next.run(), next.message(), effects.policy().deadLetterQueue(), next.reason());
                } else {
                    dispatch.done(lane, next.run());
                }
            } catch (IOException e) {
                dispatch.unreadable(lane, e);
                retryLater(lane, next.run(), next.message());
            }
        }
    }

    /** A message ran out. In the lane's window. */
    void expire(Lane lane, long offset, int size, int priority) {
        effects.expired(1);
        String queue = effects.policy().expiryQueue();
        CameBack message = new CameBack(lane.nextDelivery(offset), 0, priority, false);
        LeaseRun out = takeOut(lane, offset, size, message);
        discard(lane, out, message, dispatch.destination().equals(queue) ? null : queue, "expired");
    }

    /** Acknowledges a message that nobody has, with a copy to {@code queue} if there is one. In the lane's window. */
    private void discard(Lane lane, LeaseRun out, CameBack message, @Nullable String queue, String reason) {
        if (queue == null) {
            dispatch.drop(lane, out);
            return;
        }
        moves++;
        effects.move(move(lane, out, message, queue, reason), failure -> {
            moves--;
            if (failure == null) {
                dispatch.done(lane, out);
            } else if (lane.leases.contains(out)) {
                // A target that takes nothing must not hold up the queue: the message rests and is tried again.
                retryLater(lane, out, message);
            }
            dispatch.wake();
        });
    }

    private Move move(Lane lane, LeaseRun out, CameBack message, String queue, String reason) {
        long offset = out.from();
        return new Move(
                lane.number,
                offset,
                out.to(),
                queue,
                DeadLetter.copy(
                        lane.window.flag(offset),
                        lane.window.body(offset),
                        lane.window.id(offset),
                        reason,
                        dispatch.origin(),
                        dispatch.name(),
                        message.nextDelivery() - 1,
                        queue),
                reason);
    }

    private void retryLater(Lane lane, LeaseRun out, CameBack message) {
        long now = effects.nowMs();
        lane.leases.remove(out);
        lane.giveBack(
                out.from(),
                new CameBack(message.nextDelivery(), now + RETRY_MOVE_MS, message.priority(), message.dead()),
                now,
                dispatch.scansOf(lane));
    }

    boolean isEmpty() {
        return moves == 0 && waiting.isEmpty();
    }

    boolean canWork() {
        return !waiting.isEmpty() && moves < MOST_MOVES;
    }
}
