package io.metaq.broker.subscription;

import io.metaq.broker.net.SessionLoop;
import io.metaq.broker.store.Store;
import io.metaq.state.Topic;
import io.metaq.state.dispatch.Dispatch;
import io.metaq.state.dispatch.Effects;
import io.metaq.state.dispatch.RedeliveryPolicy;
import io.metaq.state.dispatch.Scratch;
import io.metaq.state.record.Change;
import io.metaq.state.subscription.MessageRanges;
import io.metaq.state.subscription.Subscription;
import io.metaq.state.subscription.SubscriptionInfo;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The dispatches of a broker. A subscription has one while somebody is attached to it, on the event loop of whoever came
 * first; it is let go of when it is idle. Any thread.
 */
public final class Dispatches {
    /** How destinations behave and come to be, as the configuration says. */
    public interface Rules {
        RedeliveryPolicy policy(Topic topic);

        /** The change that makes a destination that somebody uses for the first time; empty: it must not be made. */
        Optional<Change.TopicCreated> onDemand(String destination, boolean queue);
    }

    private final Store store;
    private final Rules rules;
    private final Clock clock;
    private final Map<Subscription, HostedDispatch> hosted = new ConcurrentHashMap<>();
    private final Map<SessionLoop, Scratch> scratches = new ConcurrentHashMap<>();

    /** The subscriptions that are not journalled and have a name. */
    private final Map<String, HostedDispatch> passing = new ConcurrentHashMap<>();

    public Dispatches(Store store, Rules rules, Clock clock) {
        this.store = store;
        this.rules = rules;
        this.clock = clock;
    }

    Store store() {
        return store;
    }

    Rules rules() {
        return rules;
    }

    Clock clock() {
        return clock;
    }

    /** The dispatch of a subscription, made if there is none; to be {@link HostedDispatch#release released}. */
    public HostedDispatch acquire(Subscription subscription, Topic topic, SessionLoop loop) {
        HostedDispatch acquired = hosted.compute(subscription, (key, there) -> {
            HostedDispatch host = there == null ? new HostedDispatch(this, subscription, topic, loop) : there;
            host.users++;
            return host;
        });
        if (subscription.info().kind() == SubscriptionInfo.Kind.TRANSIENT) {
            passing.put(subscription.info().name(), acquired);
        }
        return acquired;
    }

    void release(HostedDispatch host) {
        hosted.computeIfPresent(host.subscription(), (key, there) -> {
            host.users--;
            return there;
        });
    }

    /** Lets go of a dispatch that is idle, unless somebody has asked for it meanwhile. */
    boolean remove(HostedDispatch host) {
        HostedDispatch left = hosted.computeIfPresent(
                host.subscription(), (key, there) -> there == host && host.users <= 0 ? null : there);
        if (left == host) {
            return false;
        }
        Subscription subscription = host.subscription();
        if (subscription.info().kind() == SubscriptionInfo.Kind.TRANSIENT) {
            passing.remove(subscription.info().name(), host);
            host.topic().unsubscribe(subscription);
        }
        if (hosted.isEmpty()) {
            synchronized (hosted) {
                hosted.notifyAll();
            }
        }
        return true;
    }

    /** The dispatch of a subscription, if there is one. */
    public @Nullable HostedDispatch find(Subscription subscription) {
        return hosted.get(subscription);
    }

    /** The dispatch of a subscription that is not journalled, if somebody is attached to it. */
    public @Nullable HostedDispatch passing(String name) {
        return passing.get(name);
    }

    /** All there are. */
    public Collection<HostedDispatch> all() {
        return List.copyOf(hosted.values());
    }

    Effects effects(HostedDispatch host) {
        return new JournalEffects(this, host);
    }

    Scratch scratch(SessionLoop loop) {
        return scratches.computeIfAbsent(loop, l -> new Scratch());
    }

    /** Follows what has changed in the state. On the journal's thread. */
    public void changed(Change change) {
        if (change instanceof Change.SubscriptionMoved moved) {
            of(moved.name(), Dispatch::reset);
        } else if (change instanceof Change.SubscriptionPurged purged) {
            of(purged.name(), Dispatch::reset);
        } else if (change instanceof Change.SubscriptionPaused paused) {
            of(paused.name(), Dispatch::wake);
        } else if (change instanceof Change.TopicDeleted || change instanceof Change.SubscriptionDeleted) {
            wake(host -> host.subscription().gone());
        } else if (change instanceof Change.TopicAltered altered) {
            wake(host -> host.topic().name().equals(altered.topic()));
        }
    }

    /** Messages that a transaction held are pending again, each come back once more. On the journal's thread. */
    public void returned(Subscription subscription, MessageRanges ranges) {
        HostedDispatch host = hosted.get(subscription);
        if (host != null) {
            host.later(dispatch -> dispatch.unlocked(ranges));
        }
    }

    private void of(String name, Consumer<Dispatch> work) {
        Subscription subscription = store.state().subscription(name);
        HostedDispatch host = subscription == null ? null : hosted.get(subscription);
        if (host != null) {
            host.execute(work);
        }
    }

    /** Whether anybody is attached to a subscription of the topic, or about to be. */
    boolean used(Topic topic) {
        for (HostedDispatch host : hosted.values()) {
            if (host.topic() == topic && host.users > 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Waits until what the consumers had is on record, so that after a restart nothing counts as delivered that was not; at
     * most {@code timeoutMs}. When all connections are closed.
     */
    public void awaitIdle(long timeoutMs) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        synchronized (hosted) {
            long left = timeoutMs;
            while (!hosted.isEmpty() && left > 0) {
                try {
                    hosted.wait(Math.min(left, 100));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                }
                left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            }
        }
    }

    /** A temporary destination is gone. */
    public void topicGone(Topic topic) {
        wake(host -> host.topic() == topic);
    }

    private void wake(Predicate<HostedDispatch> which) {
        for (HostedDispatch host : hosted.values()) {
            if (which.test(host)) {
                host.execute(Dispatch::wake);
            }
        }
    }
}
