package io.metaq.log.partition;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes that all logs in memory of a broker may hold together. Any thread. */
public final class MemoryBudget {

    private final long limit;
    private final AtomicLong used = new AtomicLong();

    public MemoryBudget(long limitBytes) {
        this.limit = limitBytes;
    }

    public long limit() {
        return limit;
    }

    /** Bytes held now. */
    public long used() {
        return used.get();
    }

    /** Whether nothing more should be appended. */
    public boolean exhausted() {
        return used.get() >= limit;
    }

    void take(long bytes) {
        used.addAndGet(bytes);
    }

    void give(long bytes) {
        used.addAndGet(-bytes);
    }
}
