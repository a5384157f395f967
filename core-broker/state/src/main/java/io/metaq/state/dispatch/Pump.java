package io.metaq.state.dispatch;

import java.io.IOException;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gives pending messages to the consumers of a class, for as long as somebody takes them. Messages are looked at in this
 * order: high priorities; ordinary ones that came back or became due, and the log; low
 * priorities.
 */
final class Pump {
    /** How serving a class ended. */
    enum Outcome {
        /** Nobody takes more now. */
        SATISFIED,
        /** Nothing is left for it. */
        EXHAUSTED,
        /** The journal has to note something first; the dispatch is woken then. */
        BLOCKED,
        /** The turn's budget is spent. */
        UNFINISHED
    }

    private static final long MOST_FOR_ONE = 64 << 10;
    private static final long MOST_OF_SEVERAL = 32 << 10;

    private final Dispatch dispatch;
    private final Judge judge;
    private final Groups groups;
    private final Budget budget;
    private final Run run = new Run();
    private long nowMs;
    private int ready;
    private boolean blocked;

    /** The message that was looked at last is to be looked at again, when the run before it has gone. */
    private boolean again;

    Pump(Dispatch dispatch, Judge judge, Groups groups, Budget budget) {
        this.dispatch = dispatch;
        this.judge = judge;
        this.groups = groups;
        this.budget = budget;
    }

    Outcome serve(SelectorClass served, long now) {
        nowMs = now;
        blocked = false;
        ready = served.readyCount();
        if (ready == 0) {
            return Outcome.SATISFIED;
        }
        unpark(served);
        while (!budget.spent()) {
            Subscriber next = served.nextReady();
            if (next == null) {
                return Outcome.SATISFIED;
            }
            if (serveOne(served, next)) {
                served.advance();
            } else if (budget.spent() || blocked || !unpark(served)) {
                return budget.spent() ? Outcome.UNFINISHED : blocked ? Outcome.BLOCKED : Outcome.EXHAUSTED;
            }
        }
        return Outcome.UNFINISHED;
    }

    /** One step; false if nothing is left, the budget is spent or the journal must be waited for. */
    private boolean serveOne(SelectorClass served, Subscriber next) {
        // What is behind in priority must not overtake what only waits for the journal: hence the looks at blocked.
        for (int priority = ReadySet.PRIORITIES - 1; priority > ReadySet.DEFAULT_PRIORITY && !blocked; priority--) {
            for (Scan scan : served.scans) {
                if (tryReady(served, scan, priority, next)) {
                    return true;
                }
            }
        }
        int first = served.firstScan();
        for (int i = 0; i < served.scans.size() && !blocked; i++) {
            if (tryOrdinary(served, served.scans.get((first + i) % served.scans.size()), next)) {
                return true;
            }
        }
        for (int priority = ReadySet.DEFAULT_PRIORITY - 1; priority >= 0 && !blocked; priority--) {
            for (Scan scan : served.scans) {
                if (tryReady(served, scan, priority, next)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Ordinary messages in the order of the log, whether they are found there or came back or became due. */
    private boolean tryOrdinary(SelectorClass served, Scan scan, Subscriber next) {
        while (!blocked && !budget.spent()) {
            long outOfOrder = scan.ready.peek(ReadySet.DEFAULT_PRIORITY);
            if (scan.at < outOfOrder && tryLog(served, scan, outOfOrder, next)) {
                return true;
            }
            if (outOfOrder == ReadySet.NONE || blocked || budget.spent()) {
                return false;
            }
            if (tryReady(served, scan, ReadySet.DEFAULT_PRIORITY, next)) {
                return true;
            }
            if (scan.ready.peek(ReadySet.DEFAULT_PRIORITY) == outOfOrder) {
                return false; // it cannot be had now
            }
        }
        return false;
    }

    private boolean tryReady(SelectorClass served, Scan scan, int priority, Subscriber next) {
        if (scan.ready.peek(priority) == ReadySet.NONE || !usable(scan.lane)) {
            return false;
        }
        try {
            return fromReady(served, scan, priority, next);
        } catch (IOException e) {
            dispatch.unreadable(scan.lane, e);
            return false;
        }
    }

    private boolean tryLog(SelectorClass served, Scan scan, long limit, Subscriber next) {
        if (scan.at >= scan.lane.end || !usable(scan.lane)) {
            return false;
        }
        try {
            return fromLog(served, scan, limit, next);
        } catch (IOException e) {
            dispatch.unreadable(scan.lane, e);
            return false;
        }
    }

    private boolean usable(Lane lane) {
        return lane.brokenUntilMs == 0 && lane.open();
    }

    private long mostBytes(Lane lane, long at) {
        return ready <= 1 ? MOST_FOR_ONE : Math.min(MOST_OF_SEVERAL, Math.max(1, (lane.end - at) / ready));
    }

    /** Delivers messages that are looked at out of the log's order; true if there was one. */
    private boolean fromReady(SelectorClass served, Scan scan, int priority, Subscriber next) throws IOException {
        Lane lane = scan.lane;
        long offset;
        while ((offset = scan.ready.peek(priority)) != ReadySet.NONE && !budget.spent()) {
            budget.spend(Budget.LOOK);
            boolean first = run.isEmpty();
            if (first ? logGoesFirst(scan, priority, offset) : offset != run.end() || !lane.window.holds(offset)) {
                break;
            }
            if (!lane.available(offset, nowMs) || !lane.window.seek(offset)) {
                scan.ready.poll(priority);
                continue;
            }
            int size = lane.window.size(offset);
            Subscriber target = target(served, scan, offset, size, priority, next);
            if (target != null && !accepts(lane, target, offset, size, priority)) {
                break;
            }
            if (again) {
                again = false;
                break;
            }
            scan.ready.poll(priority);
            if (target == null && !run.isEmpty()) {
                break;
            }
        }
        return deliver(lane);
    }

    /** Ordinary messages keep the log's order. */
    private static boolean logGoesFirst(Scan scan, int priority, long offset) {
        return priority == ReadySet.DEFAULT_PRIORITY && scan.at < offset && scan.at < scan.lane.end;
    }

    /** Adds a message to the run, beginning it if it is empty; false if the run, or the journal, has to go first. */
    private boolean accepts(Lane lane, Subscriber target, long offset, int size, int priority) {
        int delivery = lane.nextDelivery(offset);
        if (!allowed(lane, offset, size)) {
            return false;
        }
        if (run.isEmpty()) {
            run.begin(target, judge.group(), offset, delivery, priority, mostBytes(lane, offset));
        } else if (run.deliveryCount() != delivery || !run.isFor(target, judge.group()) || !run.fits(size)) {
            return false;
        }
        run.add(size);
        budget.spend(size);
        return true;
    }

    /** Delivers the next run of the log before {@code limit}; true if there was one. */
    private boolean fromLog(SelectorClass served, Scan scan, long limit, Subscriber next) throws IOException {
        Lane lane = scan.lane;
        long end = Math.min(lane.end, limit);
        LogWindow window = lane.window;
        while (run.isEmpty() && !budget.spent()) {
            long at = lane.skip(scan.at);
            scan.at = at;
            if (at >= end) {
                return false;
            }
            if (lane.cameBack.containsKey(at) || !window.seek(at)) {
                if (!pass(scan, at)) {
                    return false;
                }
                continue;
            }
            gather(served, scan, next, at, Math.min(end, lane.alikeUntil(at)));
            if (blocked && run.isEmpty()) {
                return false;
            }
        }
        return deliver(lane);
    }

    /** Goes on behind what is no message to look at here; false where the log ends for now. */
    private boolean pass(Scan scan, long at) throws IOException {
        LogWindow window = scan.lane.window;
        budget.spend(Budget.LOOK);
        if (window.seek(at)) {
            scan.at = at + window.size(at);
        } else {
            scan.at = window.resume();
        }
        return scan.at > at;
    }

    /** Gathers messages from {@code from} on for one consumer; leaves the scan behind the last that was dealt with. */
    private void gather(SelectorClass served, Scan scan, Subscriber next, long from, long until) {
        Lane lane = scan.lane;
        LogWindow window = lane.window;
        boolean noSelector = served.selector == null;
        int delivery = lane.firstDelivery(from);
        long at = from;
        while (at < until && window.holds(at) && !budget.spent()) {
            int size = window.size(at);
            int flag = window.flag(at);
            if (noSelector && judge.plain(flag)) {
                if (!allowed(lane, at, size)) {
                    break;
                }
                if (run.isEmpty()) {
                    run.begin(next, null, at, delivery, ReadySet.DEFAULT_PRIORITY, mostBytes(lane, at));
                } else if (!run.isFor(next, null) || !run.fits(size)) {
                    break;
                }
                run.add(size);
                budget.spend(size);
            } else {
                budget.spend(Budget.LOOK);
                Subscriber target =
                        Judge.scheduled(flag) ? null : target(served, scan, at, size, ReadySet.DEFAULT_PRIORITY, next);
                if (again) {
                    again = false;
                    break;
                }
                if (target == null) {
                    at += size;
                    scan.at = at;
                    budget.spend(size);
                    if (run.isEmpty()) {
                        continue;
                    }
                    return;
                }
                if (!accepts(lane, target, at, size, ReadySet.DEFAULT_PRIORITY)) {
                    break;
                }
            }
            at += size;
        }
        scan.at = at;
    }

    /** Whether the journal knows that what ends there may be delivered. */
    private boolean allowed(Lane lane, long offset, int size) {
        lane.mark.reached(offset, offset + size);
        if (offset + size > lane.mark.limit()) {
            blocked = true;
            return false;
        }
        return true;
    }

    /** Who gets a message: null if it was dealt with otherwise. */
    private @Nullable Subscriber target(
            SelectorClass served, Scan scan, long offset, int size, int priority, Subscriber next) {
        Lane lane = scan.lane;
        CameBack before = lane.cameBack.get(offset);
        if (before != null && before.dead()) {
            dispatch.returns.buryLater(lane, offset, size, before);
            return null;
        }
        int flag = lane.window.flag(offset);
        switch (judge.judge(served.selector, nowMs, flag, lane.window.body(offset), lane.window.id(offset))) {
            case FITS -> {
                String group = judge.group();
                boolean waits = group != null && lane.waits(group, offset, priority, nowMs);
                return group == null ? next : waits ? null : ofGroup(group, served, scan, offset, next);
            }
            case EXPIRED -> dispatch.returns.expire(lane, offset, size, priority);
            case FOREIGN -> dispatch.acknowledgements.pass(lane.number, offset, offset + size);
            case OTHERS -> {}
        }
        return null;
    }

    private @Nullable Subscriber ofGroup(String group, SelectorClass served, Scan scan, long offset, Subscriber next) {
        Subscriber owner = groups.ownerOf(group);
        if (owner == null) {
            if (run.isEmpty()) {
                return next; // whose the group is when this goes to it, not before: it may not be able to take it
            } else if (run.isOf(group)) {
                return run.target();
            }
            // A group that nobody has goes to the next in turn, not to whoever is just being served.
            again = true;
            return null;
        }
        if (owner.selectorClass != served) {
            scan.foreignGroupAt = Math.min(scan.foreignGroupAt, offset);
            return null;
        }
        if (!owner.ready()
                || owner.hasParkedBefore(scan.lane.number, offset)
                || run.count() > 0 && !canStillTake(owner)) {
            owner.park(scan.lane.number, offset);
            return null;
        }
        return owner;
    }

    /** A run that is being gathered has used some of its consumer's credit. */
    private boolean canStillTake(Subscriber owner) {
        return owner != run.target() || run.count() < owner.credit;
    }

    /**
     * What was kept for consumers that take messages again gets its place among all that is looked at out of the log's order: an earlier
     * message of the same group may have come back meanwhile. True if there was something.
     */
    private boolean unpark(SelectorClass served) {
        boolean any = false;
        for (Subscriber member : served.members) {
            if (!member.nothingParked() && member.ready()) {
                for (Scan scan : served.scans) {
                    any |= usable(scan.lane) && unpark(scan, member);
                }
            }
        }
        return any;
    }

    private boolean unpark(Scan scan, Subscriber member) {
        Lane lane = scan.lane;
        boolean any = member.unpark(lane.number, offset -> scan.ready.insert(lane.priority(offset), offset));
        Long beyond = member.unparkOverflow(lane.number);
        if (beyond != null) {
            scan.rewind(beyond);
            lane.fill(scan, nowMs);
        }
        return any || beyond != null;
    }

    private boolean deliver(Lane lane) {
        if (run.isEmpty()) {
            return false;
        }
        Subscriber target = run.target();
        long from = run.from();
        long end = run.end();
        int count = run.count();
        int delivery = run.deliveryCount();
        groups.out(run.group(), target, count);
        lane.leases.add(run.lease(nowMs));
        forgetCameBack(lane, from, end);
        target.took(count, end - from);
        target.recipient.deliver(lane.number, from, count, delivery, lane.window.bytes(from, end));
        return true;
    }

    private static void forgetCameBack(Lane lane, long from, long end) {
        if (!lane.cameBack.isEmpty()) {
            Iterator<Map.Entry<Long, CameBack>> delivered =
                    lane.cameBack.subMap(from, end).entrySet().iterator();
            while (delivered.hasNext()) {
                delivered.next();
                delivered.remove();
            }
        }
    }
}
