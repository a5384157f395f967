package io.metaq.broker.subscription;

import io.metaq.broker.net.SessionLoop;
import io.metaq.state.BrokerState;
import io.metaq.state.Topic;
import io.metaq.state.dispatch.ExpirySweep;
import io.metaq.state.subscription.Subscription;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Sees to it that messages expire also where nobody consumes. A little each time, each subscription in turn. */
public final class ExpirySweeper {
    /** Each looks at about a megabyte. */
    private static final int MOST_AT_ONCE = 8;

    private final BrokerState state;
    private final Dispatches dispatches;
    private final Supplier<SessionLoop> loops;
    private final Clock clock;
    private final Map<Subscription, ExpirySweep> sweeps = new ConcurrentHashMap<>();
    private int next;

    /** @param loops an event loop for a subscription that nobody is attached to */
    public ExpirySweeper(BrokerState state, Dispatches dispatches, Supplier<SessionLoop> loops, Clock clock) {
        this.state = state;
        this.dispatches = dispatches;
        this.loops = loops;
        this.clock = clock;
    }

    /** Goes on. To be called about once a second. */
    public void look() {
        List<Subscription> all = new ArrayList<>(state.subscriptions());
        sweeps.keySet().removeIf(Subscription::gone);
        int begun = 0;
        for (int i = 0; i < all.size() && begun < MOST_AT_ONCE; i++) {
            Subscription subscription = all.get((next + i) % all.size());
            Topic topic = state.topic(subscription.info().topicId());
            if (topic != null && begin(subscription, topic)) {
                begun++;
                next = (next + i + 1) % all.size();
            }
        }
    }

    private boolean begin(Subscription subscription, Topic topic) {
        ExpirySweep sweep = sweeps.computeIfAbsent(subscription, s -> new ExpirySweep());
        long[] ends = new long[Math.min(subscription.partitionCount(), topic.partitionCount())];
        for (int i = 0; i < ends.length; i++) {
            ends[i] = topic.partitions()[i].log().endOffset();
        }
        if (!sweep.due(subscription, ends, clock.millis())) {
            return false;
        }
        HostedDispatch host = dispatches.acquire(subscription, topic, loops.get());
        host.execute(dispatch -> {
            try {
                dispatch.sweep(sweep);
            } finally {
                host.release();
            }
        });
        return true;
    }
}
