package io.metaq.state.dispatch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
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

    /** The first is under way. */
    private final Deque<Drain> drains = new ArrayDeque<>(1);

    /** Credit that was given behind a drain. */
    private long creditBehind;

    private long creditBytesBehind;

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
        return attached && credit > 0 && (creditBytes > 0 || draining());
    }

    void credit(int messages, int bytes) {
        if (draining()) {
            creditBehind += messages;
            creditBytesBehind += bytes;
        } else {
            credit += messages;
            creditBytes += bytes;
        }
    }

    boolean ready() {
        return wants() && recipient.writable();
    }

    /** Bytes that it may get now; a message that is longer may still be the last one. */
    long room() {
        return draining() ? Long.MAX_VALUE : creditBytes;
    }

    void took(int messages, long bytes) {
        credit -= messages;
        creditBytes -= bytes;
        delivered += messages;
        Drain drain = drains.peek();
        if (drain != null) {
            drain.delivered += messages;
        }
    }

    /** A consumer that drains gets what is ready, then nothing. With no messages it gives up what it waits for. */
    void drain(int messages, IntConsumer answer) {
        while (messages == 0 && draining()) {
            endDrain();
        }
        drains.add(new Drain(messages, answer));
        if (drains.size() == 1) {
            begin();
        } else {
            creditBehind = 0;
            creditBytesBehind = 0;
        }
    }

    private void begin() {
        Drain drain = drains.element();
        credit = drain.limit;
        creditBytes = 0;
    }

    boolean draining() {
        return !drains.isEmpty();
    }

    boolean drainFull() {
        Drain drain = drains.peek();
        return drain != null && drain.delivered >= drain.limit;
    }

    void endDrain() {
        Drain ended = drains.poll();
        if (ended == null) {
            return;
        }
        if (draining()) {
            begin();
        } else {
            credit = creditBehind;
            creditBytes = creditBytesBehind;
            creditBehind = 0;
            creditBytesBehind = 0;
        }
        ended.answer.accept(ended.delivered);
    }

    /** Keeps a message of one of its groups for it, or remembers from where on to look for it again. */
    void park(int partition, long offset) {
        if (parkedCount >= MOST_PARKED || offset > overflow.getOrDefault(partition, Long.MAX_VALUE)) {
            overflow.merge(partition, offset, Math::min);
        } else if (parked.computeIfAbsent(partition, p -> new TreeSet<>()).add(offset)) {
            parkedCount++;
        }
    }

    /** Whether a message of its groups waits that this one must not overtake. */
    boolean hasParkedBefore(int partition, long offset) {
        TreeSet<Long> waiting = parked.get(partition);
        return waiting != null && waiting.first() < offset || overflow.getOrDefault(partition, Long.MAX_VALUE) < offset;
    }

    boolean nothingParked() {
        return parked.isEmpty() && overflow.isEmpty();
    }

    /** Hands out the first ones of a partition, as many as it could take; false if there were none. */
    boolean unpark(int partition, LongConsumer taker) {
        TreeSet<Long> waiting = parked.get(partition);
        if (waiting == null) {
            return false;
        }
        for (long most = Math.min(credit, waiting.size()); most > 0; most--) {
            taker.accept(waiting.first());
            waiting.pollFirst();
            parkedCount--;
        }
        if (waiting.isEmpty()) {
            parked.remove(partition);
        }
        return true;
    }

    /** From where on to look for what did not fit into {@link #parked}, when all that did has been taken; else null. */
    @Nullable
    Long unparkOverflow(int partition) {
        return parked.containsKey(partition) ? null : overflow.remove(partition);
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
