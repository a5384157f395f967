package io.metaq.client.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.EventLoop;
import io.netty.channel.epoll.Epoll;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who does the work of a loop, and that it is always done. */
@Timeout(120)
class CallerLoopTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private NetworkThreads threads;
    private EventLoop loop;

    @BeforeEach
    void start() {
        assumeTrue(Epoll.isAvailable());
        threads = NetworkThreads.forCalls();
        loop = threads.next();
    }

    @AfterEach
    void stop() {
        if (threads != null) {
            threads.release();
            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> thread.getName().startsWith("metaq-calls-net"))
                    .allSatisfy(thread -> thread.join(20_000))
                    .noneMatch(Thread::isAlive);
        }
    }

    /** Asks the loop by which thread its work is done. */
    private CompletableFuture<Thread> worker() {
        CompletableFuture<Thread> answer = new CompletableFuture<>();
        // Two turns, as a request and its reply are.
        loop.execute(() -> loop.schedule(() -> answer.complete(Thread.currentThread()), 1, TimeUnit.MILLISECONDS));
        return answer;
    }

    private Thread call() {
        return CallerLoop.settled(loop, this::worker, PATIENCE).join();
    }

    /** Calls until the loop leaves its work to callers. */
    private void callUntilDriving() {
        await().atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInSameThread()
                .until(() -> call() == Thread.currentThread());
    }

    @Test
    void shouldLeaveTheWorkToASingleCaller() {
        assertThat(call()).isNotSameAs(Thread.currentThread());
        callUntilDriving();
        assertThat(call()).isSameAs(Thread.currentThread());
    }

    @Test
    void shouldBeThereForWhatNobodyWaitsFor() throws Exception {
        callUntilDriving();
        CompletableFuture<Thread> told = worker();
        assertThat(told.get(20, TimeUnit.SECONDS)).isNotSameAs(Thread.currentThread());
    }

    @Test
    void shouldBeThereForATimerAfterTheCalls() throws Exception {
        callUntilDriving();
        CompletableFuture<Thread> rung = new CompletableFuture<>();
        loop.schedule(() -> rung.complete(Thread.currentThread()), 100, TimeUnit.MILLISECONDS);
        assertThat(rung.get(20, TimeUnit.SECONDS)).isNotSameAs(Thread.currentThread());
    }

    @Test
    void shouldDoItsWorkItselfWhereTheBrokerSendsUnasked() {
        callUntilDriving();
        CallerLoop.expectUnasked(loop);
        await().atMost(PATIENCE).pollInSameThread().until(() -> call() != Thread.currentThread());
        for (int i = 0; i < 50; i++) {
            assertThat(call()).isNotSameAs(Thread.currentThread());
        }
        CallerLoop.expectUnaskedNoMore(loop);
        callUntilDriving();
    }

    @Test
    void shouldGiveTheWorkBackWhenACallerLeavesOthersWaiting() throws Exception {
        callUntilDriving();
        CompletableFuture<String> mine = new CompletableFuture<>();
        CountDownLatch driving = new CountDownLatch(1);
        Thread first = new Thread(() -> CallerLoop.settled(
                loop,
                () -> {
                    driving.countDown();
                    return mine;
                },
                PATIENCE));
        first.start();
        driving.await();
        AtomicReference<Thread> worker = new AtomicReference<>();
        Thread second = new Thread(() -> worker.set(CallerLoop.settled(
                        loop,
                        () -> {
                            CompletableFuture<Thread> answer = new CompletableFuture<>();
                            loop.execute(() -> {
                                mine.complete("done");
                                loop.schedule(() -> answer.complete(Thread.currentThread()), 50, TimeUnit.MILLISECONDS);
                            });
                            return answer;
                        },
                        PATIENCE)
                .join()));
        second.start();
        first.join(20_000);
        second.join(20_000);
        assertThat(worker.get()).isNotNull().isNotSameAs(first);
    }

    @Test
    void shouldNoticeAnAnswerThatComesFromElsewhere() throws Exception {
        callUntilDriving();
        CompletableFuture<String> answer = new CompletableFuture<>();
        Thread other = new Thread(() -> answer.complete("from elsewhere"));
        assertThat(CallerLoop.settled(
                        loop,
                        () -> {
                            other.start();
                            return answer;
                        },
                        PATIENCE))
                .isCompletedWithValue("from elsewhere");
        other.join();
    }

    @Test
    void shouldGiveUpWhenTheTimeIsOver() {
        callUntilDriving();
        loop.scheduleAtFixedRate(() -> {}, 5, 5, TimeUnit.MILLISECONDS);
        callUntilDriving();
        assertThat(CallerLoop.settled(loop, CompletableFuture::new, Duration.ofMillis(50)))
                .isNotDone();
        callUntilDriving();
    }

    @Test
    void shouldGiveUpWhenInterrupted() {
        loop.scheduleAtFixedRate(() -> {}, 5, 5, TimeUnit.MILLISECONDS);
        callUntilDriving();
        Thread.currentThread().interrupt();
        CompletableFuture<?> answer = CallerLoop.settled(loop, CompletableFuture::new, PATIENCE);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(answer).isNotDone();
        callUntilDriving();
    }

    @Test
    void shouldNotWaitOnTheLoop() throws Exception {
        CompletableFuture<CompletableFuture<?>> inside = new CompletableFuture<>();
        loop.execute(() -> inside.complete(CallerLoop.settled(loop, CompletableFuture::new, PATIENCE)));
        assertThat(inside.get(20, TimeUnit.SECONDS)).isNotDone();
    }

    @Test
    void shouldEndWhileACallerDrives() throws Exception {
        callUntilDriving();
        CountDownLatch driving = new CountDownLatch(1);
        Thread caller = new Thread(() -> CallerLoop.settled(
                loop,
                () -> {
                    driving.countDown();
                    return new CompletableFuture<>();
                },
                PATIENCE));
        caller.start();
        driving.await();
        threads.release();
        caller.join(20_000);
        assertThat(caller.isAlive()).isFalse();
    }

    @Test
    void shouldLoseNoWorkWhoeverComesAndGoes() throws Exception {
        long seed = Long.getLong("metaq.seed", System.nanoTime());
        List<Thread> callers = new ArrayList<>();
        List<String> lost = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Random random = new Random(seed + i);
            Thread caller = new Thread(() -> {
                for (int n = 0; n < 1_000; n++) {
                    boolean waits = random.nextInt(20) > 0;
                    CompletableFuture<Thread> answer =
                            waits ? CallerLoop.settled(loop, this::quick, PATIENCE) : quick();
                    try {
                        answer.get(20, TimeUnit.SECONDS);
                    } catch (Exception e) {
                        synchronized (lost) {
                            lost.add(n + ": " + e);
                        }
                    }
                    if (random.nextInt(100) == 0) {
                        pause(random.nextInt(30));
                    }
                }
            });
            callers.add(caller);
            caller.start();
        }
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(lost).as("seed %d", seed).isEmpty();
    }

    private CompletableFuture<Thread> quick() {
        CompletableFuture<Thread> answer = new CompletableFuture<>();
        loop.execute(() -> loop.execute(() -> answer.complete(Thread.currentThread())));
        return answer;
    }

    /** Long enough for the loop to be looked after by its own thread in between. */
    private static void pause(int ms) {
        CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(ms, TimeUnit.MILLISECONDS))
                .join();
    }
}
