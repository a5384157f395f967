package io.metaq.broker.stats;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** How often something happened and a sum over it, since a start that can be moved to now. */
final class Counter {
    private final LongAdder count = new LongAdder();
    private final LongAdder value = new LongAdder();
    private final LongSupplier nanoTime;
    private volatile long sinceNanos;

    Counter(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.sinceNanos = nanoTime.getAsLong();
    }

    void add(long times, long amount) {
        count.add(times);
        value.add(amount);
    }

    long count() {
        return count.sum();
    }

    void reset() {
        count.reset();
        value.reset();
        sinceNanos = nanoTime.getAsLong();
    }

    /** In the form that 1.4's clients and tools parse; {@code null} when nothing was counted. */
    String report() {
        long times = count.sum();
        if (times == 0) {
            return "null";
        }
        long amount = value.sum();
        long seconds = Math.max(1, TimeUnit.NANOSECONDS.toSeconds(nanoTime.getAsLong() - sinceNanos));
        return "Count=" + times + ",Value=" + amount + ",Value/Count=" + decimal((double) amount / times)
                + ",Count/Duration=" + decimal((double) times / seconds) + ",Duration=" + seconds;
    }

    private static String decimal(double number) {
        double rounded = Math.round(number * 100) / 100.0;
        return rounded == Math.rint(rounded) ? Long.toString((long) rounded) : Double.toString(rounded);
    }
}
