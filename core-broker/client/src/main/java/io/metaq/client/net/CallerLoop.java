package io.metaq.client.net;

import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SingleThreadIoEventLoop;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An event loop whose work a thread that waits for an answer can do itself, so that nobody has to be woken on the way there and back: it
 * writes its request, reads what comes, and goes on with its answer.
 *
 * <p>One thread at a time drives the loop; whoever drives it is in the loop. Mostly that is the loop's own thread, the attendant. When
 * calls have come one at a time for a while it stands aside and leaves the loop to the callers, with a look at it now and then for
 * what nobody waits for. It is back as soon as there is anything but single calls: a second caller, a task, a link on which the broker
 * sends unasked, or nothing at all for a while.
 */
public final class CallerLoop extends SingleThreadIoEventLoop {

    /** So many calls one at a time, and the next may be driven by its caller. */
    private static final int LONE_CALLS = 8;

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long CALM_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long TASKS_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Only what is ready. */
    private static final IoHandlerContext READY_ONLY = new IoHandlerContext() {
        @Override
        public boolean canBlock() {
            return false;
        }

        @Override
        public long delayNanos(long currentTimeNanos) {
            return 0;
        }

        @Override
        public long deadlineNanos() {
            return -1;
        }
    };

    private final AtomicReference<@Nullable Thread> driver = new AtomicReference<>();
    private final AtomicInteger callers = new AtomicInteger();
    private final AtomicInteger unaskedLinks = new AtomicInteger();
    private volatile @Nullable Thread attendant;

    /** The attendant stands aside: whoever calls may drive. */
    private volatile boolean aside;

    /** The attendant is to stand aside, if nothing speaks against it. */
    private volatile boolean offered;

    /** The attendant is to come back. */
    private volatile boolean wanted;

    private volatile int loneCalls;
    private volatile long lastCall;

    CallerLoop(IoEventLoopGroup parent, Executor executor, IoHandlerFactory io) {
        super(parent, executor, io);
    }

    @Override
    public boolean inEventLoop(Thread thread) {
        return thread == driver.get();
    }

    /**
     * Makes a call and waits for its answer, driving the loop meanwhile if that is left to callers. On the loop, and with one of another
     * kind, it does not wait.
     *
     * @param call not to be repeated; what it throws is thrown
     * @return the call's future, done unless the time is over, the thread is interrupted (which it stays), or the loop ends
     */
    public static <T> CompletableFuture<T> settled(
            EventLoop loop, Supplier<CompletableFuture<T>> call, Duration patience) {
        return loop instanceof CallerLoop own && !own.inEventLoop()
                ? own.settled(call, patience.toNanos())
                : call.get();
    }

    private <T> CompletableFuture<T> settled(Supplier<CompletableFuture<T>> call, long nanos) {
        long deadline = System.nanoTime() + nanos;
        boolean alone = callers.getAndIncrement() == 0;
        boolean driving = alone && aside && driver.compareAndSet(null, Thread.currentThread());
        try {
            CompletableFuture<T> answer = call.get();
            if (driving) {
                drive(answer, deadline);
            } else {
                await(answer, nanos);
            }
            return answer;
        } finally {
            boolean stillAlone = callers.decrementAndGet() == 0;
            if (driving) {
                leave(stillAlone);
            } else {
                count(alone && stillAlone);
            }
        }
    }

    private void drive(CompletableFuture<?> answer, long deadline) {
        answer.whenComplete((value, failure) -> {
            if (!inEventLoop()) {
                ioHandler().wakeup(); // somebody else gave the answer
            }
        });
        while (!answer.isDone()
                && !isShuttingDown()
                && System.nanoTime() - deadline < 0
                && !Thread.currentThread().isInterrupted()) {
            runIo();
            runAllTasks(TASKS_NANOS);
        }
    }

    private static void await(CompletableFuture<?> answer, long nanos) {
        try {
            answer.get(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // Whoever asked for the answer looks at it.
        }
    }

    private void leave(boolean stillAlone) {
        lastCall = System.nanoTime();
        handOver();
        if (wanted || !stillAlone || isShuttingDown()) {
            callBack();
        }
    }

    private void handOver() {
        if (hasTasks()) {
            wanted = true;
        }
        driver.set(null);
    }

    private void count(boolean lone) {
        if (!lone) {
            loneCalls = 0;
        } else if (++loneCalls >= LONE_CALLS && unaskedLinks.get() == 0 && !aside) {
            loneCalls = 0;
            lastCall = System.nanoTime();
            offered = true;
            ioHandler().wakeup();
        }
    }

    private void callBack() {
        wanted = true;
        Thread thread = attendant;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /** From here on the broker may send on one of the loop's links unasked, and somebody has to be there. */
    public static void expectUnasked(EventLoop loop) {
        if (loop instanceof CallerLoop own) {
            own.unaskedLinks.incrementAndGet();
            own.callBack();
        }
    }

    /** The end of {@link #expectUnasked}. */
    public static void expectUnaskedNoMore(EventLoop loop) {
        if (loop instanceof CallerLoop own) {
            own.unaskedLinks.decrementAndGet();
        }
    }

    @Override
    public void execute(Runnable task) {
        super.execute(task);
        if (aside && driver.get() != Thread.currentThread()) {
            // Callers read for themselves; who reads the answer to this, and who does it, if the caller leaves before?
            wanted = true;
            if (driver.get() == null) {
                callBack();
            }
        }
    }

    @Override
    protected void run() {
        Thread me = Thread.currentThread();
        attendant = me;
        driver.set(me);
        ioHandler().initialize();
        do {
            runIo();
            if (isShuttingDown()) {
                ioHandler().prepareToDestroy();
            }
            runAllTasks(TASKS_NANOS);
            if (offered) {
                offered = false;
                wanted = false;
                if (callers.get() == 0 && unaskedLinks.get() == 0 && !isShuttingDown()) {
                    standAside(me);
                }
            }
        } while (!confirmShutdown());
    }

    private void standAside(Thread me) {
        aside = true;
        // Whoever brings a task from here on sees that, what was brought before is seen here.
        handOver();
        while (!wanted && !isShuttingDown() && System.nanoTime() - lastCall < CALM_NANOS) {
            LockSupport.parkNanos(this, LOOK_NANOS);
            if (!wanted && driver.compareAndSet(null, me)) {
                ioHandler().run(READY_ONLY);
                runAllTasks(TASKS_NANOS);
                handOver();
            }
        }
        aside = false;
        while (!driver.compareAndSet(null, me)) {
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
        wanted = false;
    }
}
