package io.metaq.benchmarks.driver;

import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** The measured stretch of a run: counts and processor time are read at its two ends, while the load goes on. */
public final class Window {

    private final long brokerPid;
    private final LongSupplier counter;
    private long beganNanos;
    private long endedNanos;
    private long beganCount;
    private long endedCount;
    private double brokerSeconds;
    private double clientSeconds;

    public Window(Job job, LongSupplier counter) {
        this.brokerPid = job.number("brokerPid", -1);
        this.counter = counter;
    }

    public void begin() {
        brokerSeconds = -ProcessorTime.seconds(brokerPid);
        clientSeconds = -ProcessorTime.seconds(ProcessHandle.current().pid());
        beganCount = counter.getAsLong();
        beganNanos = System.nanoTime();
    }

    public void end() {
        endedNanos = System.nanoTime();
        endedCount = counter.getAsLong();
        brokerSeconds += ProcessorTime.seconds(brokerPid);
        clientSeconds += ProcessorTime.seconds(ProcessHandle.current().pid());
    }

    /** Lets the load settle, then measures for the job's time. */
    public void measure(Job job) {
        pause(job.settleNanos());
        begin();
        pause(job.measuredNanos());
        end();
    }

    /** For a run whose own ends were seen better than this window's: the first and the last arrival. */
    void narrowTo(long fromNanos, long toNanos) {
        beganNanos = fromNanos;
        endedNanos = toNanos;
    }

    public boolean contains(long nanos) {
        long from = beganNanos;
        long to = endedNanos;
        return from != 0 && nanos - from >= 0 && (to == 0 || nanos - to < 0);
    }

    public void putInto(Map<String, Object> figures) {
        figures.put("messages", endedCount - beganCount);
        figures.put("seconds", (endedNanos - beganNanos) / 1e9);
        figures.put("brokerCpu", brokerSeconds);
        figures.put("clientCpu", clientSeconds);
    }

    static void pause(long nanos) {
        long until = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
