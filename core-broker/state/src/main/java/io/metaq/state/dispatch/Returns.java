package io.metaq.state.dispatch;

import io.metaq.state.subscription.Cursor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** What becomes of messages that came back or ran out: pending again, dead letters, dropped. */
final class Returns {
    /** Take the delay from the destination's policy. */
    static final long BY_POLICY = -1;

    /** Moves that may be under way at once; their copies are in memory. */
    private static final int MOST_MOVES = 64;

    private static final long RETRY_MOVE_MS = 1_000;

    /** When so many wait, others that are found rest where they are: their target may take nothing for hours. */
    private static final int MOST_WAITING = 4096;

    private record Departure(Lane lane, LeaseRun run, CameBack message, boolean expired, String reason) {}

    private final Dispatch dispatch;
    private final Effects effects;
    private final Deque<Departure> waiting = new ArrayDeque<>();
    private long pausedUntilMs;
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
        dispatch.audience.back(run);
        long now = effects.nowMs();
        RedeliveryPolicy policy = effects.policy();
        boolean bury = counted && (dead || policy.exhausted(run.deliveryCount)) && mayBury(policy);
        long delay = !counted ? 0 : delayMs == BY_POLICY ? policy.delayAfter(run.deliveryCount) : delayMs;
        long notBeforeMs = delay <= 0 ? 0 : now + delay;
        int next = counted ? run.deliveryCount + 1 : run.deliveryCount;
        String group = run.group == null && run.holder == null ? CameBack.UNREAD : run.group;
        for (int i = 0; i < run.count(); i++) {
            long offset = run.start(i);
            if (bury) {
                String reason =
                        dead ? "rejected by its consumer" : "delivered " + run.deliveryCount + " times without success";
                int size = (int) (run.end(i) - offset);
                bury(lane, offset, size, new CameBack(next, 0, run.priority, true, group), reason);
            } else {
                CameBack message = new CameBack(next, notBeforeMs, run.priority, false, group);
                lane.giveBack(offset, message, now, dispatch.audience.scansOf(lane));
            }
            if (counted) {
                lane.record(offset, notBeforeMs);
            }
        }
        dispatch.wake();
    }

    /** Of a range that was locked, what is pending and not out has come back, and is on record. */
    void comeBack(Lane lane, long from, long to) {
        RedeliveryPolicy policy = effects.policy();
        RedeliveryPolicy forBacklog = policyForBacklog();
        long now = effects.nowMs();
        Cursor cursor = lane.cursor;
        for (long at = cursor.nextReturned(from); at < to; at = cursor.nextReturned(at + 1)) {
            if (cursor.isTaken(at) || lane.leases.covering(at) != null || lane.cameBack.containsKey(at)) {
                continue;
            }
            int count = cursor.deliveries(at);
            long delay = policy.delayAfter(count);
            lane.giveBack(
                    at,
                    new CameBack(
                            count + 1,
                            delay <= 0 ? 0 : now + delay,
                            lane.indexedPriority(at),
                            forBacklog.exhausted(count),
                            CameBack.UNREAD),
                    now,
                    dispatch.audience.scansOf(lane));
        }
    }

    /** What fails on the dead letter queue itself stays there. */
    private boolean mayBury(RedeliveryPolicy policy) {
        return !dispatch.destination().equals(policy.deadLetterQueue());
    }

    /** By which messages are judged that came back before this dispatch was there. */
    RedeliveryPolicy policyForBacklog() {
        RedeliveryPolicy policy = effects.policy();
        return mayBury(policy) ? policy : RedeliveryPolicy.NEVER_DEAD;
    }

    /** Gives a message up that is pending. */
    void bury(Lane lane, long offset, int size, CameBack message, String reason) {
        waiting.add(new Departure(lane, takeOut(lane, offset, size, message), message, false, reason));
        dispatch.wake();
    }

    /** Gives up one that was found to be given up already. */
    void buryLater(Lane lane, long offset, int size, CameBack message) {
        if (waiting.size() < MOST_WAITING) {
            bury(lane, offset, size, message, "delivered too often without success");
            return;
        }
        long now = effects.nowMs();
        lane.giveBack(
                offset,
                new CameBack(message.nextDelivery(), now + RETRY_MOVE_MS, message.priority(), true, message.group()),
                now,
                dispatch.audience.scansOf(lane));
    }

    /** A message ran out; false if it has to stay for now, and is to be found again. */
    boolean expire(Lane lane, long offset, int size, int priority) {
        boolean moved = expiryQueue() != null;
        if (moved && waiting.size() >= MOST_WAITING) {
            return false;
        }
        effects.expired(1);
        CameBack message = new CameBack(lane.nextDelivery(offset), 0, priority, false, CameBack.UNREAD);
        LeaseRun out = takeOut(lane, offset, size, message);
        if (moved) {
            waiting.add(new Departure(lane, out, message, true, "expired"));
            dispatch.wake();
        } else {
            dispatch.drop(lane, out);
        }
        return true;
    }

    private @Nullable String expiryQueue() {
        String queue = effects.policy().expiryQueue();
        return dispatch.destination().equals(queue) ? null : queue;
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
    void work(Budget budget, long nowMs) {
        while (canWork(nowMs) && !budget.spent()) {
            Departure next = waiting.remove();
            Lane lane = next.lane();
            if (!lane.leases.contains(next.run())) {
                continue; // the subscription has been moved meanwhile
            }
            String queue = next.expired() ? expiryQueue() : effects.policy().deadLetterQueue();
            if (queue == null) {
                dispatch.drop(lane, next.run());
                continue;
            }
            try {
                budget.spend(next.run().to() - next.run().from());
                if (lane.window.seek(next.run().from())) {
                    move(next, queue);
                } else {
                    dispatch.drop(lane, next.run()); // retention has taken it
                }
            } catch (IOException e) {
                dispatch.unreadable(lane, e);
                tryLater(next);
            }
        }
    }

    private void move(Departure departure, String queue) {
        moves++;
        effects.move(copy(departure, queue), failure -> {
            moves--;
            if (failure == null) {
                dispatch.done(departure.lane(), departure.run());
            } else {
                tryLater(departure);
            }
            dispatch.wake();
        });
    }

    /** A target that takes nothing holds up neither the queue nor the journal: all that waits for it rests. */
    private void tryLater(Departure departure) {
        pausedUntilMs = effects.nowMs() + RETRY_MOVE_MS;
        waiting.addFirst(departure);
    }

    private Move copy(Departure departure, String queue) {
        LogWindow window = departure.lane().window;
        long offset = departure.run().from();
        ByteBuffer copy = DeadLetter.copy(
                window.flag(offset),
                window.body(offset),
                window.id(offset),
                departure.reason(),
                dispatch.origin(),
                dispatch.name(),
                departure.message().nextDelivery() - 1,
                queue);
        return new Move(departure.lane().number, offset, departure.run().to(), queue, copy, departure.reason());
    }

    boolean isEmpty() {
        return moves == 0 && waiting.isEmpty();
    }

    boolean canWork(long nowMs) {
        return !waiting.isEmpty() && moves < MOST_MOVES && pausedUntilMs <= nowMs;
    }

    /** When to try again what could not be moved. */
    long nextTryMs() {
        return waiting.isEmpty() || moves >= MOST_MOVES ? Alarm.NEVER : pausedUntilMs;
    }

    /** An operator has moved the subscription. */
    void forget() {
        waiting.clear();
    }
}
