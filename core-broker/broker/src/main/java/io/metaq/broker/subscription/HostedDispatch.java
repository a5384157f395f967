package io.metaq.broker.subscription;

import io.metaq.broker.net.Session;
import io.metaq.broker.net.SessionLoop;
import io.metaq.state.Topic;
import io.metaq.state.dispatch.Dispatch;
import io.metaq.state.subscription.Subscription;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A dispatch and the event loop that owns it. Work for it is done there: at once if the caller is on that loop, so that
 * what one connection asks stays in order. Connections that it wrote to are flushed once, at the end of each piece of
 * work.
 */
public final class HostedDispatch {
    private static final Logger LOG = LoggerFactory.getLogger(HostedDispatch.class);
    private static final long RETRY_MS = 1_000;

    private final Dispatches registry;
    private final Subscription subscription;
    private final Topic topic;
    private final SessionLoop loop;
    private final Set<Session> touched = new LinkedHashSet<>();
    private @Nullable Dispatch dispatch;
    private boolean working;
    private boolean closed;

    private final AtomicInteger consumers = new AtomicInteger();

    /** Who has acquired it and not released it; changed by the registry in turn. */
    volatile int users;

    HostedDispatch(Dispatches registry, Subscription subscription, Topic topic, SessionLoop loop) {
        this.registry = registry;
        this.subscription = subscription;
        this.topic = topic;
        this.loop = loop;
    }

    public Subscription subscription() {
        return subscription;
    }

    public Topic topic() {
        return topic;
    }

    /** Consumers that are attached, browsers included. */
    public int consumers() {
        return consumers.get();
    }

    /** A consumer is attached. */
    void attached() {
        consumers.incrementAndGet();
    }

    /** A consumer is gone, and with it its claim on the dispatch. Any thread. */
    public void detached() {
        consumers.decrementAndGet();
        release();
    }

    SessionLoop loop() {
        return loop;
    }

    /** Does something with the dispatch. Any thread. */
    public void execute(Consumer<Dispatch> work) {
        if (loop.here() && !working) {
            run(() -> work.accept(dispatch()));
        } else {
            later(work);
        }
    }

    /** The same, never at once. */
    void later(Consumer<Dispatch> work) {
        loop.execute(() -> run(() -> work.accept(dispatch())));
    }

    /** Asks the dispatch something. Any thread; the answer comes on the loop's. */
    public <T> CompletableFuture<T> ask(Function<Dispatch, T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        execute(asked -> {
            try {
                answer.complete(question.apply(asked));
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    /** A piece of work on the loop, and then what it has written leaves. */
    void run(Runnable work) {
        boolean outermost = !working;
        working = true;
        try {
            work.run();
        } catch (RuntimeException e) {
            // A fault must not leave consumers waiting for good: the dispatch looks again, from whatever state it is
            // in.
            LOG.error("deliveries of {} failed", subscription.info().name(), e);
            loop.schedule(RETRY_MS, () -> later(Dispatch::wake));
        } finally {
            if (outermost) {
                working = false;
                touched.forEach(Session::flush);
                touched.clear();
            }
        }
    }

    /** A connection has been written to. */
    public void touch(Session session) {
        touched.add(session);
    }

    private Dispatch dispatch() {
        Dispatch there = dispatch;
        if (there == null) {
            there = new Dispatch(subscription, topic, registry.effects(this), registry.scratch(loop));
            dispatch = there;
        }
        return there;
    }

    /** Nobody is attached, and nothing is under way. On the loop. */
    void idle() {
        Dispatch there = dispatch;
        if (there != null && !closed && (there.ended() || there.idle()) && registry.remove(this)) {
            closed = true;
            there.close();
        }
    }

    /** Takes back what {@link Dispatches#acquire} gave. Any thread. */
    public void release() {
        registry.release(this);
        execute(Dispatch::wake);
    }
}
