package io.metaq.client;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which brokers a producer leaves out for the moment. A broker that refuses work (503, 507) or does not answer is left out for a
 * time that doubles with each failure in a row; one that cannot be reached until a connection stands again.
 */
final class BrokerHealth {

    /** Why a broker is left out: decides for how long. */
    enum Trouble {
        BUSY(100, 2_000),
        STORAGE_FULL(500, 2_000),
        NO_ANSWER(1_000, 10_000);

        private final long firstMs;
        private final long limitMs;

        Trouble(long firstMs, long limitMs) {
            this.firstMs = firstMs;
            this.limitMs = limitMs;
        }
    }

    private record State(boolean unreachable, long untilNanos, int failures) {}

    private final Map<Integer, State> states = new ConcurrentHashMap<>();
    private final AtomicInteger version = new AtomicInteger();

    /** Changes whenever somebody's health does. */
    int version() {
        return version.get();
    }

    void changed() {
        version.incrementAndGet();
    }

    boolean isHealthy(int broker) {
        State state = states.get(broker);
        return state == null || (!state.unreachable && System.nanoTime() - state.untilNanos >= 0);
    }

    /** @return how long the broker is left out, in milliseconds; the caller calls {@link #changed()} when that is over */
    long trouble(int broker, Trouble trouble) {
        State before = states.get(broker);
        int failures = before == null ? 0 : before.failures;
        long delayMs = Math.min(trouble.limitMs, trouble.firstMs << Math.min(failures, 10));
        states.put(broker, new State(false, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delayMs), failures + 1));
        changed();
        return delayMs;
    }

    void unreachable(int broker) {
        states.put(broker, new State(true, 0, 0));
        changed();
    }

    /** The broker did what it was asked, or a connection to it stands. */
    void good(int broker) {
        if (!states.isEmpty() && states.remove(broker) != null) {
            changed();
        }
    }
}
