package io.metaq.cli;

import io.metaq.client.MetaqException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What became of messages that were sent; counted on the client's network thread, read by the command. */
final class SendTally {
    private final long started = System.nanoTime();
    private final AtomicLong stored = new AtomicLong();
    private final AtomicLong storedBytes = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicReference<@Nullable MetaqException> firstFailure = new AtomicReference<>();

    void completed(int size, @Nullable MetaqException failure) {
        if (failure == null) {
            stored.incrementAndGet();
            storedBytes.addAndGet(size);
        } else {
            failed.incrementAndGet();
            firstFailure.compareAndSet(null, failure);
        }
    }

    long stored() {
        return stored.get();
    }

    long failed() {
        return failed.get();
    }

    String firstFailure() {
        MetaqException failure = firstFailure.get();
        return failure == null ? "" : String.valueOf(failure.getMessage());
    }

    String rate() {
        return Progress.rate(stored.get(), storedBytes.get(), System.nanoTime() - started);
    }
}
