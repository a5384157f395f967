package io.metaq.client.net;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoop;
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
import java.util.concurrent.Executor;
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

    private static final Shared FOR_ALL = new Shared("metaq-shared-net");
    private static final Shared FOR_CALLS = new Shared("metaq-calls-net");

    /** Threads that are there as long as somebody uses them. */
    private static final class Shared {
        private final String name;
        private @Nullable EventLoopGroup running;
        private int users;

        Shared(String name) {
            this.name = name;
        }

        synchronized NetworkThreads use() {
            EventLoopGroup loops = running;
            if (loops == null) {
                loops = start(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), name, true);
                running = loops;
            }
            users++;
            return new NetworkThreads(loops, this);
        }

        /** @return whether this was the last user */
        synchronized boolean letGo() {
            if (--users > 0) {
                return false;
            }
            running = null;
            return true;
        }
    }

    private final EventLoopGroup loops;
    private final @Nullable Shared shared;
    private final AtomicBoolean released = new AtomicBoolean();

    private NetworkThreads(EventLoopGroup loops, @Nullable Shared shared) {
        this.loops = loops;
        this.shared = shared;
    }

    /** Threads that are the caller's alone. */
    public static NetworkThreads own(int count) {
        return new NetworkThreads(start(count, "metaq-client-net", false), null);
    }

    /** Threads that all callers share, half as many as there are processors. */
    public static NetworkThreads shared() {
        return FOR_ALL.use();
    }

    /**
     * The same, for connections on which nothing comes but answers that somebody waits for: there a thread that waits can do the
     * network's work itself ({@link CallerLoop}).
     */
    public static NetworkThreads forCalls() {
        return FOR_CALLS.use();
    }

    private static EventLoopGroup start(int count, String name, boolean drivenByCallers) {
        DefaultThreadFactory threads = new DefaultThreadFactory(name, true);
        if (!EPOLL) {
            return new MultiThreadIoEventLoopGroup(count, threads, NioIoHandler.newFactory());
        }
        IoHandlerFactory epoll = EpollIoHandler.newFactory();
        if (!drivenByCallers) {
            return new MultiThreadIoEventLoopGroup(count, threads, epoll);
        }
        return new MultiThreadIoEventLoopGroup(count, threads, epoll) {
            @Override
            protected IoEventLoop newChild(Executor executor, IoHandlerFactory io, Object... unused) {
                return new CallerLoop(this, executor, io);
            }
        };
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
        return shared == null || shared.letGo();
    }
}
