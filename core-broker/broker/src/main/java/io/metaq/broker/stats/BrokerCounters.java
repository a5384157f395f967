package io.metaq.broker.stats;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What the broker counts, in all since its start and, resettable, per topic. */
public final class BrokerCounters {
    /** What is counted; the names are 1.4's. */
    public enum Item {
        PUT("put"),
        GET("get"),
        OFFSET("offset"),
        GET_MISS("get_miss"),
        PUT_FAILED("put_failed"),
        MESSAGE_SIZE("message_size");

        private final String word;

        Item(String word) {
            this.word = word;
        }
    }

    private final LongSupplier nanoTime;
    private final long startNanos;
    private final Map<Item, LongAdder> totals = new EnumMap<>(Item.class);
    private final Map<Item, Counter> realtime;
    private final TransactionCounters transactions = new TransactionCounters();
    private final Map<String, Map<Item, Counter>> topics = new ConcurrentHashMap<>();

    public BrokerCounters(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.startNanos = nanoTime.getAsLong();
        this.realtime = counters();
        for (Item item : Item.values()) {
            totals.put(item, new LongAdder());
        }
    }

    private Map<Item, Counter> counters() {
        Map<Item, Counter> counters = new EnumMap<>(Item.class);
        for (Item item : Item.values()) {
            counters.put(item, new Counter(nanoTime));
        }
        return counters;
    }

    public TransactionCounters transactions() {
        return transactions;
    }

    /** Messages taken: {@code count} of {@code bytes} in all. */
    public void put(String topic, long count, long bytes) {
        add(topic, Item.PUT, count, count);
        add(topic, Item.MESSAGE_SIZE, count, bytes);
    }

    /** A request of this kind. */
    public void add(String topic, Item item) {
        add(topic, item, 1, 1);
    }

    private void add(String topic, Item item, long count, long value) {
        of(totals, item).add(count);
        of(realtime, item).add(count, value);
        of(topics.computeIfAbsent(topic, t -> counters()), item).add(count, value);
    }

    private static <V> V of(Map<Item, V> map, Item item) {
        V found = map.get(item);
        if (found == null) {
            throw new IllegalStateException("no counter for " + item);
        }
        return found;
    }

    long total(Item item) {
        return of(totals, item).sum();
    }

    long uptimeSeconds() {
        return TimeUnit.NANOSECONDS.toSeconds(nanoTime.getAsLong() - startNanos);
    }

    /** Starts the resettable figures anew. */
    public void reset() {
        realtime.values().forEach(Counter::reset);
        topics.clear();
    }

    /** Forgets a topic that is gone. */
    public void forget(String topic) {
        topics.remove(topic);
    }

    void report(StringBuilder lines) {
        for (Item item : Item.values()) {
            lines.append("realtime_")
                    .append(item.word)
                    .append(' ')
                    .append(of(realtime, item).report())
                    .append("\r\n");
        }
    }

    void report(StringBuilder lines, String topic) {
        @Nullable Map<Item, Counter> counters = topics.get(topic);
        for (Item item : Item.values()) {
            lines.append("topic_realtime_").append(item.word).append(' ');
            lines.append(
                    counters == null
                            ? "Invalid keyTwo:" + topic
                            : of(counters, item).report());
            lines.append("\r\n");
        }
    }
}
