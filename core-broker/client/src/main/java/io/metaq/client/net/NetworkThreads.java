package io.metaq.client.net;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The network threads that a client uses: its own, or those that all clients of this process share which want that.
 *
 * <p>Shared ones are for applications with many clients that each wait for single answers. With a thread for each, every answer wakes
 * two threads; a shared one that is busy with the others' answers anyway need not be woken.
 */
public final class NetworkThreads {
    /**
     * Where there is epoll it is used without the JDK between: to wake a thread in its selector takes a lock there that the woken one
     * takes next, so that a request that comes from another thread has one more change of threads on its way.
     */
    private static final boolean EPOLL = Epoll.isAvailable();

    private static final int ENDING_MS = 2_500;

    private static final Object LOCK = new Object();
    private static @Nullable EventLoopGroup common;
    private static int sharers;

    private final EventLoopGroup loops;
    private final boolean shared;
    private final AtomicBoolean released = new AtomicBoolean();

    private NetworkThreads(EventLoopGroup loops, boolean shared) {
        this.loops = loops;
        this.shared = shared;
    }

    /** Threads that are the caller's alone. */
    public static NetworkThreads own(int count) {
        return new NetworkThreads(start(count, "metaq-client-net"), false);
    }

    /** Threads that all callers share, half as many as there are processors. */
    public static NetworkThreads shared() {
        synchronized (LOCK) {
            EventLoopGroup running = common;
            if (running == null) {
                int count = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
                running = start(count, "metaq-shared-net");
                common = running;
            }
            sharers++;
            return new NetworkThreads(running, true);
        }
    }

    private static EventLoopGroup start(int count, String name) {
        IoHandlerFactory io = EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        return new MultiThreadIoEventLoopGroup(count, new DefaultThreadFactory(name, true), io);
    }

    /** Channels of this kind belong to these threads. */
    static Class<? extends Channel> channelType() {
        return EPOLL ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    EventLoop next() {
        return loops.next();
    }

    /** Whether the caller is one of them. */
    boolean isOne() {
        for (EventExecutor loop : loops) {
            if (loop.inEventLoop()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Lets go of them; where nobody else has them they end. Waits until what was given to them before is done, for two seconds and a
     * half at most, unless called on one of them.
     */
    void release() {
        if (!released.compareAndSet(false, true)) {
            return;
        }
        if (isLast()) {
            await(List.of(loops.shutdownGracefully(0, 2, TimeUnit.SECONDS)));
        } else {
            settle();
        }
    }

    /** Waits until what was given to them before is done, as {@link #release} does. */
    void settle() {
        List<Future<?>> ends = new ArrayList<>();
        loops.forEach(loop -> ends.add(loop.submit(() -> {})));
        await(ends);
    }

    private void await(List<Future<?>> ends) {
        if (!isOne()) {
            long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ENDING_MS);
            ends.forEach(end -> end.awaitUninterruptibly(Math.max(1, until - System.nanoTime()), TimeUnit.NANOSECONDS));
        }
    }

    private boolean isLast() {
        if (!shared) {
            return true;
        }
        synchronized (LOCK) {
            if (--sharers > 0) {
                return false;
            }
            common = null;
            return true;
        }
    }
}
