package io.metaq.broker.upkeep;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread on which a broker's regular work is done. A failing step is logged and tried again at its next time. */
public final class Upkeep implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);

    /** A piece of regular work. */
    @FunctionalInterface
    public interface Step {
        void run() throws Exception;
    }

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread upkeep = new Thread(task, "metaq-upkeep");
        upkeep.setDaemon(true);
        return upkeep;
    });

    /** Does {@code step} every {@code everyMs} milliseconds. */
    public void every(long everyMs, String what, Step step) {
        thread.scheduleWithFixedDelay(
                () -> {
                    try {
                        step.run();
                    } catch (Exception e) {
                        LOG.error("{} failed", what, e);
                    }
                },
                everyMs,
                everyMs,
                TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(10, TimeUnit.SECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
