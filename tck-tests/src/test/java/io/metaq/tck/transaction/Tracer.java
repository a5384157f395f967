package io.metaq.tck.transaction;

import io.metaq.tck.harness.ChildProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Strace on a process that runs already. */
final class Tracer implements AutoCloseable {
    private static final long PATIENCE_S = 30;

    private final CountDownLatch attached = new CountDownLatch(1);
    private final ChildProcess process;

    private Tracer(long pid, String injection) {
        String calls = injection.substring(0, injection.indexOf(':'));
        String command =
                "exec strace -f -p %d -o /dev/null -e trace=%s -e inject=%s 2>&1".formatted(pid, calls, injection);
        process = ChildProcess.start("strace", List.of("sh", "-c", command), line -> {
            if (line.contains("attached")) {
                attached.countDown();
            }
        });
    }

    /**
     * Attaches to all threads, and waits for that.
     *
     * @param injection calls and what happens at them, as strace has it: {@code fsync:signal=SIGKILL:when=2}
     */
    static Tracer attach(long pid, String injection) {
        Tracer tracer = new Tracer(pid, injection);
        try {
            if (!tracer.attached.await(PATIENCE_S, TimeUnit.SECONDS)) {
                throw new IllegalStateException("strace does not attach");
            }
            return tracer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Lets go of the process, if that is still there. */
    @Override
    public void close() {
        if (process.isAlive()) {
            process.terminate();
            process.awaitExit(Duration.ofSeconds(PATIENCE_S));
        }
    }
}
