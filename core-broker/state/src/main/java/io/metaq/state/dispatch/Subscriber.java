package io.metaq.state.dispatch;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** One attached consumer: what it may have, what it has. Belongs to its dispatch's thread. */
public final class Subscriber {
    /** Messages of its groups that wait for its credit, in memory; those beyond are found again by a second look. */
    static final int MOST_PARKED = 64 << 10;

    final Recipient recipient;
    final SelectorClass selectorClass;
    final Set<LeaseRun> leases = new LinkedHashSet<>();

    /** Messages of its groups that it had no credit for, by partition. */
    final Map<Integer, TreeSet<Long>> parked = new TreeMap<>();

    /** By partition: the first message of its groups that did not fit into {@link #parked}. */
    final Map<Integer, Long> overflow = new TreeMap<>();

    final @Nullable BrowseWalk walk;
    long credit;
    long creditBytes;
    long delivered;
    boolean attached = true;

    private int parkedCount;
    private @Nullable Drain drain;

    private static final class Drain {
        private final IntConsumer answer;
        private final int limit;
        private int delivered;

        Drain(int limit, IntConsumer answer) {
            this.limit = limit;
            this.answer = answer;
        }
    }

    Subscriber(Recipient recipient, SelectorClass selectorClass, @Nullable BrowseWalk walk) {
        this.recipient = recipient;
        this.selectorClass = selectorClass;
        this.walk = walk;
    }

    /** Whether it has asked for messages. */
    boolean wants() {
        return credit > 0 && (creditBytes > 0 || drain != null);
    }

    boolean ready() {
        return wants() && recipient.writable();
    }

    /** Bytes that it may get now; a message that is longer may still be the last one. */
    long room() {
        return drain != null ? Long.MAX_VALUE : creditBytes;
    }

    void took(int messages, long bytes) {
        credit -= messages;
        creditBytes -= bytes;
        delivered += messages;
        if (drain != null) {
            drain.delivered += messages;
        }
    }

    /** A consumer that drains gets what is ready, then nothing. */
    void drain(int messages, IntConsumer answer) {
        if (drain != null) {
            endDrain();
        }
        drain = new Drain(messages, answer);
        credit = messages;
    }

    boolean draining() {
        return drain != null;
    }

    boolean drainFull() {
        return drain != null && drain.delivered >= drain.limit;
    }

    void endDrain() {
        Drain ended = drain;
        if (ended != null) {
            drain = null;
            credit = 0;
            creditBytes = 0;
            ended.answer.accept(ended.delivered);
        }
    }

    /** Keeps a message of one of its groups for it; false if there is no room for more. */
    boolean park(int partition, long offset) {
        if (parkedCount >= MOST_PARKED) {
            overflow.merge(partition, offset, Math::min);
            return false;
        }
        if (parked.computeIfAbsent(partition, p -> new TreeSet<>()).add(offset)) {
            parkedCount++;
        }
        return true;
    }

    boolean hasParked(int partition) {
        return parked.containsKey(partition) || overflow.containsKey(partition);
    }

    void unpark(int partition, long offset) {
        TreeSet<Long> waiting = parked.get(partition);
        if (waiting != null && waiting.remove(offset)) {
            parkedCount--;
            if (waiting.isEmpty()) {
                parked.remove(partition);
            }
        }
    }

    void forgetParked() {
        parked.clear();
        overflow.clear();
        parkedCount = 0;
    }

    int leasedMessages() {
        int messages = 0;
        for (LeaseRun run : leases) {
            messages += run.count();
        }
        return messages;
    }

    /** One line for an operator: who it is, what it may have, what it has. */
    public String describe() {
        String kind = walk == null ? "" : "browser, ";
        String selector = selectorClass.selector == null ? "" : " selector " + selectorClass.selector.text();
        return kind + recipient + " credit " + Math.max(0, credit) + " leased " + leasedMessages() + " delivered "
                + delivered + selector;
    }

    @Override
    public String toString() {
        return recipient.toString();
    }
}
