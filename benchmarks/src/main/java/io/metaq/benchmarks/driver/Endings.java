package io.metaq.benchmarks.driver;

import java.util.function.BooleanSupplier;

/** Waiting for the last messages of a run. */
final class Endings {

    private static final long POLL_NANOS = 1_000_000;

    private Endings() {}

    /** Returns when the condition holds, or after the job's {@code patience} in seconds: what is not there then is missing. */
    static boolean await(BooleanSupplier condition, Job job) {
        long until = System.nanoTime() + job.number("patience", 30) * 1_000_000_000L;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - until > 0) {
                return false;
            }
            Window.pause(POLL_NANOS);
        }
        return true;
    }
}
