package io.metaq.tck.chaos;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Activities at once, each on a thread of its own with its own source of chance. */
final class Crowd implements Activity.Ending {
    private static final long LAST_STEPS_MS = 30_000;

    private final Faults faults;
    private final Random seeds;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean sendingIsOver;
    private volatile boolean allIsOver;

    Crowd(long seed, Faults faults) {
        this.seeds = new Random(seed);
        this.faults = faults;
    }

    void start(String name, int count, Supplier<Activity> activities) {
        for (int i = 0; i < count; i++) {
            start(name + " " + i, activities.get());
        }
    }

    void start(String name, Activity activity) {
        var random = new Random(seeds.nextLong());
        var thread = new Thread(() -> run(name, activity, random), name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void run(String name, Activity activity, Random random) {
        try {
            activity.run(random, this);
        } catch (RuntimeException | Error e) {
            faults.add("%s failed: %s at %s".formatted(name, e, Arrays.toString(e.getStackTrace())));
        }
    }

    void endSending() {
        sendingIsOver = true;
    }

    /** Ends everything, and waits until all threads have ended. */
    void end() {
        sendingIsOver = true;
        allIsOver = true;
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LAST_STEPS_MS);
        for (Thread thread : threads) {
            try {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime())));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (thread.isAlive()) {
                faults.add("%s does not come back: %s"
                        .formatted(thread.getName(), Arrays.toString(thread.getStackTrace())));
            }
        }
    }

    @Override
    public boolean sendingIsOver() {
        return sendingIsOver;
    }

    @Override
    public boolean allIsOver() {
        return allIsOver;
    }
}
