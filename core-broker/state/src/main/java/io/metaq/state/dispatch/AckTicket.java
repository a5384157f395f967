package io.metaq.state.dispatch;

import io.metaq.state.subscription.MessageRanges;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages that a consumer says it is done with, on their way into the journal: they are delivered to nobody meanwhile.
 * Ends by {@link #applied} or {@link #refused}, on the dispatch's thread.
 */
public final class AckTicket {
    private record Held(Lane lane, LeaseRun run) {}

    private final Dispatch dispatch;
    private final @Nullable Subscriber holder;
    private final List<Held> held = new ArrayList<>(2);
    private final MessageRanges ranges = new MessageRanges();
    private int acknowledged;
    private int missed;

    AckTicket(Dispatch dispatch, @Nullable Subscriber holder) {
        this.dispatch = dispatch;
        this.holder = holder;
    }

    void take(Lane lane, LeaseRun run) {
        lane.leases.hold(run, null);
        held.add(new Held(lane, run));
        ranges.add(lane.number, run.from(), run.to(), run.count());
        acknowledged += run.count();
    }

    void miss(int messages) {
        missed += messages;
    }

    /** What is to be acknowledged. */
    public MessageRanges ranges() {
        return ranges;
    }

    /** How many messages that is. */
    public int acknowledged() {
        return acknowledged;
    }

    /** Messages in the ranges that the consumer has no lease of, and that were not to be had otherwise. */
    public int missed() {
        return missed;
    }

    /** The messages are acknowledged. */
    public void applied() {
        for (Held message : held) {
            dispatch.done(message.lane(), message.run());
        }
    }

    /** A transaction has locked the messages; where it was rolled back meanwhile they are pending again. */
    void locked() {
        for (Held message : held) {
            dispatch.done(message.lane(), message.run());
            dispatch.returns.comeBack(
                    message.lane(), message.run().from(), message.run().to());
        }
    }

    /** They are not, and count as delivered once more: what was to happen with them came to nothing. */
    public void rolledBack() {
        for (Held message : held) {
            if (message.lane().leases.contains(message.run())) {
                dispatch.returns.giveBack(message.lane(), message.run(), true, Returns.BY_POLICY, false);
            }
        }
    }

    /** They are not: the consumer has them as before; if it has left, they are pending again. */
    public void refused() {
        for (Held message : held) {
            dispatch.restore(message.lane(), message.run(), holder);
        }
    }
}
