package io.metaq.tck.chaos;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What is owed on one queue, one subscription, or one part of a queue that a selector takes: each message from its sending to its
 * acknowledgement. Every breach of a promise becomes a fault at the moment it is seen. Times are ms since the epoch.
 */
final class Account {
    /** A message may be shown so much later than its expiration: it was not expired when the client looked. */
    private static final long LATE_MS = 5_000;

    /** An acknowledgement that nobody waited for is kept by the broker after this time. */
    private static final long SETTLED_MS = 3_000;

    private static final int NO_ORDER = -1;

    /** A message that is not over yet. */
    private static final class Open {
        final int orderKey;
        final long dueMs;
        final long expiresMs;
        boolean promised;
        boolean shown;
        boolean held;

        @Nullable
        Object holder;

        long readyMs;

        Open(Sending.Manner manner) {
            this.orderKey = manner.orderKey();
            this.dueMs = manner.dueMs();
            this.expiresMs = manner.vanishesMs();
            this.readyMs = manner.dueMs();
        }
    }

    /** What is over, by the number of the message. */
    private static final class Over {
        final BitSet surely = new BitSet();
        final BitSet likely = new BitSet();
        final BitSet expired = new BitSet();
        final BitSet rolledBack = new BitSet();
    }

    private record OrderKey(int producer, int key) {}

    private record Recent(Label label, int generation, long atMs) {}

    /** What is known of an acknowledgement. */
    enum Certainty {
        /** It must not come back in any case. */
        SURE,
        /** It may come back, marked, if the broker is killed about now. */
        LIKELY,
        /** It may have been acknowledged or not. */
        UNKNOWN
    }

    private final String name;
    private final boolean ordered;
    private final Faults faults;
    private final Map<Label, Open> open = new LinkedHashMap<>();
    private final Map<Integer, Over> over = new HashMap<>();
    private final Map<OrderKey, Integer> lastFirstShown = new HashMap<>();
    private final Map<OrderKey, TreeSet<Integer>> givenBack = new HashMap<>();
    private final Map<Object, Long> waitingSince = new HashMap<>();
    private final Deque<Recent> recentlyAcknowledged = new ArrayDeque<>();
    private long lastShownMs;
    private long promisedCount;
    private long shownCount;
    private long redeliveredCount;
    private long expiredCount;

    /** @param ordered whether at most one consumer at a time gets what has one order key, so that its order can be seen */
    Account(String name, boolean ordered, Faults faults) {
        this.name = name;
        this.ordered = ordered;
        this.faults = faults;
    }

    String name() {
        return name;
    }

    /** About to be sent: it may be shown from now on, even before the sender knows that it was stored. */
    synchronized void attempt(Label label, Sending.Manner manner) {
        open.put(label, new Open(manner));
    }

    /** The broker has taken it: it must be shown, unless it may vanish. */
    synchronized void promised(Label label) {
        promisedCount++;
        Open message = open.get(label);
        if (message != null) {
            message.promised = true;
            message.readyMs = Math.max(message.readyMs, System.currentTimeMillis());
        }
    }

    /** It was part of a transaction that was rolled back: it must never be shown. */
    synchronized void rolledBack(Label label) {
        open.remove(label);
        over(label).rolledBack.set(label.number());
    }

    /** A consumer has it. */
    synchronized void shown(Showing showing, Object consumer) {
        long now = System.currentTimeMillis();
        Label label = showing.label();
        waitingSince.replace(consumer, now);
        lastShownMs = now;
        shownCount++;
        redeliveredCount += showing.redelivered() ? 1 : 0;
        if (showing.redelivered() != (showing.count() > 1)) {
            fault(showing, "a delivery count that contradicts the redelivered mark");
        }
        if (showing.expiration() != 0 && now > showing.expiration() + LATE_MS) {
            fault(showing, "shown %d ms after it expired".formatted(now - showing.expiration()));
        }
        Open message = open.get(label);
        if (message == null) {
            open.put(label, shownAfterItsEnd(showing));
        } else {
            check(showing, message, now);
            message.shown = true;
            message.held = true;
            message.holder = consumer;
        }
    }

    /** A consumer in another process said that it has it: known too late to judge whether it was marked and in order. */
    synchronized void reported(Label label) {
        shownCount++;
        Open message = open.get(label);
        if (message != null) {
            message.shown = true;
            message.held = true;
            message.holder = null;
        }
    }

    private void check(Showing showing, Open message, long now) {
        Label label = showing.label();
        if (now < message.dueMs) {
            fault(showing, "shown %d ms before its time".formatted(message.dueMs - now));
        }
        if (message.shown && !showing.redelivered()) {
            fault(showing, "shown again without the redelivered mark");
        }
        if (ordered && message.orderKey != NO_ORDER) {
            checkOrder(showing, message);
        }
    }

    /** New messages come in order, and none before an earlier one that was given back. */
    private void checkOrder(Showing showing, Open message) {
        int number = showing.label().number();
        var key = new OrderKey(showing.label().producer(), message.orderKey);
        if (!message.shown) {
            Integer last = lastFirstShown.put(key, number);
            if (last != null && last > number) {
                fault(showing, "out of order: first shown after number " + last);
            }
        }
        TreeSet<Integer> earlier = givenBack.get(key);
        if (earlier != null) {
            earlier.remove(number);
            if (earlier.lower(number) != null) {
                fault(showing, "out of order: shown before number %d, which was given back".formatted(earlier.first()));
            }
            if (earlier.isEmpty()) {
                givenBack.remove(key);
            }
        }
    }

    /** That it comes back tells that its acknowledgement did not count; whether it may is another matter. */
    private Open shownAfterItsEnd(Showing showing) {
        int number = showing.label().number();
        Over ended = over(showing.label());
        if (ended.surely.get(number)) {
            fault(showing, "came back after its acknowledgement");
        } else if (ended.rolledBack.get(number)) {
            fault(showing, "shown although its sending was rolled back");
        } else if (ended.expired.get(number)) {
            fault(showing, "shown long after it expired");
        } else if (!ended.likely.get(number)) {
            fault(showing, "never sent");
        } else if (!showing.redelivered()) {
            fault(showing, "shown again without the redelivered mark");
        }
        Open again = new Open(Sending.Manner.plain(NO_ORDER));
        again.shown = true;
        again.held = true;
        return again;
    }

    /** @param generation of the broker now, see {@link BrokerLife} */
    synchronized void acknowledged(Label label, Certainty certainty, int generation) {
        open.remove(label);
        Over ended = over(label);
        (certainty == Certainty.SURE ? ended.surely : ended.likely).set(label.number());
        if (certainty == Certainty.LIKELY) {
            recentlyAcknowledged.add(new Recent(label, generation, System.currentTimeMillis()));
        }
    }

    /** It was received as a dead letter. */
    synchronized boolean dead(Label label) {
        Open message = open.remove(label);
        if (message != null) {
            over(label).likely.set(label.number());
            givenBack
                    .getOrDefault(new OrderKey(label.producer(), message.orderKey), new TreeSet<>())
                    .remove(label.number());
        }
        return message != null;
    }

    /** Its consumer gave it back: it is to come again. */
    synchronized void returned(Label label, Object consumer) {
        Open message = open.get(label);
        // After a restart of the broker another consumer may have been shown it before this one gives up what it has no
        // more.
        if (message != null && (message.holder == null || message.holder == consumer)) {
            message.held = false;
            message.readyMs = System.currentTimeMillis();
            if (ordered && message.orderKey != NO_ORDER) {
                givenBack
                        .computeIfAbsent(new OrderKey(label.producer(), message.orderKey), key -> new TreeSet<>())
                        .add(label.number());
            }
        }
    }

    /** A consumer is there and waits from now on. */
    synchronized void attached(Object consumer) {
        waitingSince.put(consumer, System.currentTimeMillis());
    }

    synchronized void detached(Object consumer) {
        waitingSince.remove(consumer);
    }

    /**
     * Forgets what has expired unseen, and takes for sure what was acknowledged some time ago by a broker that still lives.
     *
     * @param lives whether a generation does
     */
    synchronized void sweep(long now, IntPredicate lives) {
        open.entrySet().removeIf(entry -> {
            Open message = entry.getValue();
            boolean gone = message.expiresMs != 0 && now > message.expiresMs + 2 * LATE_MS && !message.held;
            if (gone) {
                over(entry.getKey()).expired.set(entry.getKey().number());
                expiredCount++;
            }
            return gone;
        });
        for (Recent first = recentlyAcknowledged.peek();
                first != null && first.atMs() < now - SETTLED_MS;
                first = recentlyAcknowledged.peek()) {
            recentlyAcknowledged.remove();
            if (lives.test(first.generation()) && !open.containsKey(first.label())) {
                over(first.label()).surely.set(first.label().number());
            }
        }
    }

    /**
     * How long a consumer has waited in vain: since it began to wait, since a message was ready for it, and since anything was shown on
     * this account, whichever is the latest. 0 if nobody waits or nothing is ready.
     *
     * @param since what happened before does not count: the broker's start
     */
    synchronized long waitedInVainMs(long now, long since) {
        long waits = waitingSince.values().stream().mapToLong(x -> x).min().orElse(Long.MAX_VALUE);
        long ready = open.values().stream()
                .filter(message -> message.promised && !message.held && message.expiresMs == 0)
                .mapToLong(message -> message.readyMs)
                .min()
                .orElse(Long.MAX_VALUE);
        if (waits == Long.MAX_VALUE || ready == Long.MAX_VALUE) {
            return 0;
        }
        return Math.max(0, now - Math.max(Math.max(waits, ready), Math.max(lastShownMs, since)));
    }

    /** Messages that must still be shown and acknowledged. */
    synchronized int owed() {
        return (int) open.values().stream().filter(Account::isOwed).count();
    }

    private static boolean isOwed(Open message) {
        return message.promised && message.expiresMs == 0;
    }

    /** A few of the messages that are owed, for a message. */
    synchronized String someOwed() {
        var some = new StringBuilder();
        open.entrySet().stream()
                .filter(entry -> isOwed(entry.getValue()))
                .limit(5)
                .forEach(entry -> some.append(' ')
                        .append(entry.getKey().body())
                        .append(entry.getValue().held ? " (held)" : entry.getValue().shown ? " (returned)" : ""));
        return some.toString();
    }

    private Over over(Label label) {
        return over.computeIfAbsent(label.producer(), producer -> new Over());
    }

    private void fault(Showing showing, String text) {
        faults.add("%s, message %s, delivery %d: %s"
                .formatted(name, showing.label().body(), showing.count(), text));
    }

    @Override
    public synchronized String toString() {
        return "%-10s %,10d sent %,10d shown %,9d redelivered %,9d expired"
                .formatted(name, promisedCount, shownCount, redeliveredCount, expiredCount);
    }
}
