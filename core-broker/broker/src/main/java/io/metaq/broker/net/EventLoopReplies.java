package io.metaq.broker.net;

import io.netty.util.concurrent.EventExecutor;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Carries finished work from the journal's writer to the event loop that owns the connection. However many replies are
 * waiting, the loop is woken once and flushes each connection once.
 */
final class EventLoopReplies {
    private final EventExecutor eventLoop;
    private final Queue<Reply> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final Set<Session> touched = new LinkedHashSet<>();

    EventLoopReplies(EventExecutor eventLoop) {
        this.eventLoop = eventLoop;
    }

    /** Queues a reply that leaves at the next {@link #wake}. Any thread. */
    void add(Reply reply) {
        waiting.add(reply);
    }

    /** Sees to it that what is queued leaves soon. Any thread. */
    void wake() {
        if (!waiting.isEmpty() && !scheduled.get() && scheduled.compareAndSet(false, true)) {
            try {
                eventLoop.execute(this::drain);
            } catch (RejectedExecutionException e) {
                // The broker has stopped: no connection is left that could be answered.
                waiting.clear();
            }
        }
    }

    private void drain() {
        scheduled.set(false);
        for (Reply reply = waiting.poll(); reply != null; reply = waiting.poll()) {
            reply.reply();
            Session session = reply.session();
            if (session != null) {
                touched.add(session);
            }
        }
        touched.forEach(Session::flush);
        touched.clear();
    }
}
