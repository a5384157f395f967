package io.metaq.state.dispatch;

import io.metaq.message.Selector;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Looks at all pending messages and consumers of a dispatch to say why one gets nothing. Changes nothing. */
final class Inquiry implements Job {
    /** Of a backlog that is longer the first part is looked at: it is what comes next, and the others have work to do. */
    private static final long MOST_BYTES = 256L << 20;

    private static final int MOST_MESSAGES = 1_000_000;

    private final Dispatch dispatch;
    private final Judge judge;
    private final @Nullable Selector selector;
    private final Consumer<Explanation> answer;
    private final PendingWalk walk;
    private boolean answered;

    private long lookedBytes;
    private boolean cutShort;
    private long pending;
    private long leased;
    private long delayed;
    private long nextDueMs = Long.MAX_VALUE;
    private long expired;
    private long unmatched;
    private long pinned;
    private long ready;
    private @Nullable LeaseRun oldestLease;
    private @Nullable Subscriber pinnedTo;
    private @Nullable String pinnedGroup;

    Inquiry(Dispatch dispatch, Judge judge, @Nullable Selector selector, Consumer<Explanation> answer) {
        this.dispatch = dispatch;
        this.judge = judge;
        this.selector = selector;
        this.answer = answer;
        this.walk = new PendingWalk(dispatch.lanes);
    }

    @Override
    public boolean canStep() {
        return !answered;
    }

    @Override
    public boolean finished() {
        return answered;
    }

    @Override
    public void step(Budget budget, long nowMs) {
        try {
            walk.step(budget, (lane, offset, size) -> {
                look(lane, offset, nowMs);
                lookedBytes += size;
                cutShort = lookedBytes >= MOST_BYTES || pending >= MOST_MESSAGES;
                return !cutShort;
            });
        } catch (IOException e) {
            answered = true;
            answer.accept(new Explanation("the partition log cannot be read: " + e.getMessage(), figures()));
            return;
        }
        if (walk.finished() || cutShort) {
            answered = true;
            String part = cutShort ? " (of the first " + pending + " messages, which were looked at)" : "";
            answer.accept(new Explanation(reason() + part, figures()));
        }
    }

    private void look(Lane lane, long offset, long nowMs) {
        int flag = lane.window.flag(offset);
        var body = lane.window.body(offset);
        long id = lane.window.id(offset);
        LeaseRun run = lane.leases.covering(offset);
        if (run != null && run.holder == null) {
            return; // on its way out
        }
        Judge.Verdict verdict = judge.judge(null, nowMs, flag, body, id);
        if (verdict == Judge.Verdict.FOREIGN) {
            return;
        }
        pending++;
        CameBack before = lane.cameBack.get(offset);
        if (run != null) {
            leased++;
            oldestLease = oldestLease == null || run.sinceMs < oldestLease.sinceMs ? run : oldestLease;
        } else if (before != null && before.notBeforeMs() > nowMs) {
            due(before.notBeforeMs());
        } else if (Judge.delayed(flag, body, nowMs)) {
            due(Judge.deliveryTimeMs(flag, body));
        } else if (verdict == Judge.Verdict.EXPIRED) {
            expired++;
        } else if (!wanted(lane, offset, flag)) {
            unmatched++;
        } else {
            ready(lane, offset, judge.group(), nowMs);
        }
    }

    private void due(long timeMs) {
        delayed++;
        nextDueMs = Math.min(nextDueMs, timeMs);
    }

    private void ready(Lane lane, long offset, @Nullable String group, long nowMs) {
        Subscriber owner = group == null ? null : dispatch.audience.groups.ownerOf(group);
        long waitsUntilMs = group == null ? 0 : lane.waitsUntilMs(group, offset, nowMs);
        if (waitsUntilMs > 0) {
            due(waitsUntilMs);
        } else if (owner != null && !owner.wants()) {
            pinned++;
            pinnedTo = owner;
            pinnedGroup = group;
        } else {
            ready++;
        }
    }

    private boolean wanted(Lane lane, long offset, int flag) {
        var properties = Judge.properties(flag, lane.window.body(offset));
        long id = lane.window.id(offset);
        if (selector != null) {
            return selector.matches(properties, id);
        }
        boolean matches = dispatch.audience.classes.isEmpty();
        for (SelectorClass each : dispatch.audience.classes) {
            matches |= each.selector == null || each.selector.matches(properties, id);
        }
        return matches;
    }

    private Map<String, Long> figures() {
        long credit = 0;
        long consumers = 0;
        for (SelectorClass each : dispatch.audience.classes) {
            for (Subscriber member : each.members) {
                consumers++;
                credit += Math.max(0, member.credit);
            }
        }
        Map<String, Long> figures = new LinkedHashMap<>();
        figures.put("depth", dispatch.subscription().depth());
        figures.put("pending", pending);
        figures.put("ready", ready);
        figures.put("leased", leased);
        figures.put("delayed", delayed);
        if (delayed > 0) {
            figures.put("next-due", nextDueMs);
        }
        figures.put("expired", expired);
        figures.put("unmatched", unmatched);
        figures.put("pinned", pinned);
        figures.put("consumers", consumers);
        figures.put("credit", credit);
        figures.put("paused", dispatch.subscription().paused() ? 1L : 0L);
        return figures;
    }

    private String reason() {
        if (dispatch.subscription().paused()) {
            return "paused: an operator holds deliveries back (subscription resume lets them go on)";
        }
        for (Lane lane : dispatch.lanes) {
            if (!lane.open()) {
                return "closed: partition " + lane.number + " gives no messages (topic open lets it)";
            }
        }
        return ready == 0 ? noneReady() : noneTakes();
    }

    private String noneReady() {
        if (pending == 0) {
            return "no messages: everything that was sent is acknowledged";
        } else if (pinned > 0) {
            return "message groups: " + pinned + " messages wait for the consumer that has their group, such as "
                    + pinnedGroup + " of " + pinnedTo + ", which has no credit";
        } else if (unmatched > 0) {
            return "selector: " + (selector == null ? "the consumers have selectors that match" : "it matches")
                    + " none of the " + unmatched + " messages that could be delivered";
        } else if (leased > 0 && oldestLease != null) {
            return "leased: " + leased + " of " + pending + " messages are with their consumers, for longest with "
                    + oldestLease.holder + " since " + Instant.ofEpochMilli(oldestLease.sinceMs);
        } else if (delayed > 0) {
            return "delayed: " + delayed + " messages are not due, the next one is at "
                    + Instant.ofEpochMilli(nextDueMs);
        }
        return "expired: all " + expired + " messages are too old to be delivered";
    }

    private String noneTakes() {
        Subscriber any = null;
        for (SelectorClass each : dispatch.audience.classes) {
            for (Subscriber member : each.members) {
                if (member.ready()) {
                    return "nothing is in the way: " + ready + " messages are ready, and " + member + " takes them";
                } else if (member.wants()) {
                    return "connection: " + member + " does not read what was sent to it";
                }
                any = member;
            }
        }
        if (any == null) {
            return "no consumer: " + ready + " messages are ready, and nobody is attached";
        }
        return "no credit: " + ready
                + " messages are ready, but no consumer asks for any (its connection is not started, or"
                + " it is busy with what it has), such as " + any + " with " + any.leasedMessages() + " messages";
    }
}
