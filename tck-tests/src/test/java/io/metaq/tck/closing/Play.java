package io.metaq.tck.closing;

import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One ending at one moment: it waits there until the curtain rises, then ends, and what came of it is told. */
final class Play {
    /** In which everything has to be back. */
    static final Duration LIMIT = Duration.ofSeconds(10);

    private static final AtomicInteger THREADS = new AtomicInteger();

    private final Moment moment;
    private final Ending ending;
    private final Scene scene;
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch curtain = new CountDownLatch(1);
    private final CompletableFuture<Duration> ended = new CompletableFuture<>();
    private final CompletableFuture<Duration> closed = new CompletableFuture<>();
    private final AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    private final List<CompletableFuture<?>> threads = new ArrayList<>();

    Play(Moment moment, Ending ending, Scene scene) throws Exception {
        this.moment = moment;
        this.ending = ending;
        this.scene = scene;
        moment.prepare(scene, this);
    }

    /** A thread that is in the middle of it comes by: waits for the curtain, ends, and goes on. */
    void enter() {
        entered.countDown();
        try {
            curtain.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            ended.completeExceptionally(e);
            return;
        }
        long start = System.nanoTime();
        try {
            ending.apply(scene);
        } catch (Exception e) {
            thrown.set(e);
        }
        ended.complete(Duration.ofNanos(System.nanoTime() - start));
    }

    /** Runs something in a thread of its own, which has to be back at the end as well. */
    void alongside(Callable<?> task) {
        CompletableFuture<Void> back = new CompletableFuture<>();
        threads.add(back);
        Thread thread = new Thread(() -> run(task, back), "play-" + THREADS.incrementAndGet());
        thread.setDaemon(true);
        thread.start();
    }

    private void run(Callable<?> task, CompletableFuture<Void> back) {
        try {
            task.call();
            back.complete(null);
        } catch (JMSException | JMSRuntimeException e) {
            back.complete(null); // a receive that ends by an exception is back as well
        } catch (Exception e) {
            fail(back, e);
        }
    }

    void fail(CompletableFuture<?> back, Throwable reason) {
        back.completeExceptionally(reason);
        ended.completeExceptionally(reason);
    }

    /** Whether its moment comes only when the broker is lost. */
    boolean isAboutLoss() {
        return moment == Moment.IN_EXCEPTION_LISTENER;
    }

    /** Waits until the thread is where it has to be. */
    void awaitEntered(Duration atMost) throws InterruptedException {
        if (!entered.await(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError(this + " never came to its moment");
        }
    }

    void raise() {
        curtain.countDown();
    }

    /** What is wrong with the ending; null if nothing is. */
    @Nullable
    String wrongAtTheEnding() throws InterruptedException {
        String late = awaitBack(ended, ending.name());
        if (late == null) {
            late = refusalWrong();
        }
        return late == null ? null : this + ": " + late;
    }

    private @Nullable String refusalWrong() {
        Throwable reason = thrown.get();
        boolean refused = reason instanceof IllegalStateException || reason instanceof IllegalStateRuntimeException;
        if (moment.refuses(ending)) {
            return refused ? null : "was not refused but gave " + reason;
        }
        return reason == null ? null : "threw " + reason;
    }

    /** Closes everything, in a thread of its own. */
    void closeAll() {
        alongside(() -> {
            long start = System.nanoTime();
            scene.close();
            closed.complete(Duration.ofNanos(System.nanoTime() - start));
            return null;
        });
    }

    /** What is wrong after {@link #closeAll}; null if nothing is. */
    @Nullable
    String wrongAtLast() throws InterruptedException {
        String late = awaitBack(closed, "the close at last");
        for (CompletableFuture<?> thread : threads) {
            late = late != null ? late : awaitBack(thread, "a thread");
        }
        return late == null ? null : this + ": " + late;
    }

    private static @Nullable String awaitBack(CompletableFuture<?> back, String what) throws InterruptedException {
        try {
            Object taken = back.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            boolean late = taken instanceof Duration duration && duration.compareTo(LIMIT) > 0;
            return late ? what + " took " + taken : null;
        } catch (TimeoutException e) {
            return what + " is not back after " + LIMIT;
        } catch (ExecutionException e) {
            return what + " failed by " + e.getCause();
        }
    }

    @Override
    public String toString() {
        return ending + " " + moment;
    }
}
