package io.metaq.state.dispatch;

import io.metaq.message.Selector;
import io.metaq.state.EnlistProposal;
import io.metaq.state.Partition;
import io.metaq.state.Topic;
import io.metaq.state.subscription.MessageRanges;
import io.metaq.state.subscription.Subscription;
import io.metaq.state.subscription.SubscriptionInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The delivery side of one subscription, in memory: who is attached, who has which message, what is looked at next. All
 * methods but {@link #wake} are for the one thread that owns it.
 *
 * <p>A message is, for as long as it is pending: not looked at yet, out (leased), back (pending again), held back until
 * it is due, or parked for the consumer of its group. What is attached first gets it, in turns; everything that could let a
 * message go on wakes the dispatch, which then looks as far as anybody takes messages.
 */
public final class Dispatch {
    private static final long RETRY_MS = 1_000;

    final Effects effects;
    final Returns returns;
    final Acknowledgements acknowledgements;
    final List<Lane> lanes = new ArrayList<>();
    final Audience audience;

    private final Jobs jobs = new Jobs();

    private final Subscription subscription;
    private final Topic topic;
    private final Scratch scratch;
    private final Judge judge;
    private final Budget budget = new Budget();
    private final Pump pump;
    private final Claims claims;
    private final Alarm alarm;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private int firstClass;
    private boolean ended;

    public Dispatch(Subscription subscription, Topic topic, Effects effects, Scratch scratch) {
        this.subscription = subscription;
        this.topic = topic;
        this.effects = effects;
        this.scratch = scratch;
        this.judge = new Judge(subscription.info());
        this.returns = new Returns(this, effects);
        this.acknowledgements = new Acknowledgements(effects, this::wake);
        this.audience = new Audience(new Browsers(effects));
        this.pump = new Pump(this, judge, audience.groups, budget);
        this.claims = new Claims(this);
        this.alarm = new Alarm(effects, this::wake);
        grow();
    }

    public Subscription subscription() {
        return subscription;
    }

    public Topic topic() {
        return topic;
    }

    /** The attached consumers, browsers included. */
    public Collection<Subscriber> subscribers() {
        return audience.subscribers;
    }

    /** Whether somebody is attached who takes messages away. */
    public boolean active() {
        return !audience.classes.isEmpty();
    }

    /** Whether nobody is attached and nothing is under way: it may be let go of by {@link #close}. */
    public boolean idle() {
        if (!audience.subscribers.isEmpty() || !jobs.isEmpty() || !acknowledgements.isEmpty() || !returns.isEmpty()) {
            return false;
        }
        for (Lane lane : lanes) {
            if (!lane.settled()) {
                return false;
            }
        }
        return true;
    }

    String name() {
        return subscription.info().name();
    }

    String destination() {
        return topic.name();
    }

    String origin() {
        boolean queue = subscription.info().kind() == SubscriptionInfo.Kind.QUEUE;
        return (queue ? "queue://" : "topic://") + topic.name();
    }

    /** Attaches a consumer; it gets nothing before it has given credit. */
    public Subscriber attach(Recipient recipient, @Nullable Selector selector) {
        return audience.attach(recipient, selector, lanes, effects.nowMs());
    }

    /** Attaches one that only looks: it gets what is pending now, once, and nothing is changed by that. */
    public Subscriber browse(Recipient recipient, @Nullable Selector selector) {
        return audience.browse(recipient, selector, new BrowseWalk(judge, lanes));
    }

    /** Adds to what a consumer may have. */
    public void credit(Subscriber subscriber, int messages, int bytes) {
        subscriber.credit(Math.max(0, messages), Math.max(0, bytes));
        wake();
    }

    /**
     * Gives a consumer at most {@code messages} of what is ready now and takes back its credit; then tells how many it
     * got. What was stored before this call is found.
     */
    public void drain(Subscriber subscriber, int messages, IntConsumer answer) {
        subscriber.drain(messages, answer);
        while (subscriber.drainFull()) {
            subscriber.endDrain();
        }
        wake();
    }

    /** The consumer is done with its messages in these ranges. */
    public void acknowledge(Subscriber subscriber, ClaimedRanges ranges, AckAnswer answer) {
        acknowledgements.add(claim(subscriber, ranges), answer);
    }

    /** The same in two steps, for an acknowledgement that is part of something larger. */
    public AckTicket claim(Subscriber subscriber, ClaimedRanges ranges) {
        AckTicket ticket = new AckTicket(this, subscriber);
        claims.claim(subscriber, ranges, ticket);
        return ticket;
    }

    /** A claim has become part of something larger that took effect. The journal does not know of some subscriptions. */
    public void acknowledged(AckTicket ticket) {
        if (subscription.isTransient()) {
            acknowledgements.add(ticket, AckAnswer.NONE);
        } else {
            ticket.applied();
            wake();
        }
    }

    /**
     * A claim has become part of a transaction that holds it until it ends ({@link EnlistProposal}). The ticket of a subscription
     * that the journal does not know stays as it is: to be ended by {@link #acknowledged} or {@link AckTicket#rolledBack}.
     */
    public void locked(AckTicket ticket) {
        if (!subscription.isTransient()) {
            ticket.locked();
            wake();
        }
    }

    /**
     * Messages that a transaction had locked are pending again ({@link
     * io.metaq.state.BrokerState#observeReturned}).
     */
    public void unlocked(MessageRanges ranges) {
        for (int i = 0; i < ranges.size(); i++) {
            if (ranges.partition(i) < lanes.size()) {
                returns.comeBack(lanes.get(ranges.partition(i)), ranges.from(i), ranges.to(i));
            }
        }
        wake();
    }

    /**
     * The consumer failed with these messages.
     *
     * @param delayMs how long they rest; negative: by the destination's policy
     * @param dead whether they are to be given up at once
     */
    public void reject(Subscriber subscriber, ClaimedRanges ranges, long delayMs, boolean dead) {
        long delay = delayMs < 0 ? Returns.BY_POLICY : delayMs;
        claims.forEachLease(subscriber, ranges, (lane, run) -> returns.giveBack(lane, run, true, delay, dead));
    }

    /** The consumer gives back what was never shown to anybody. */
    public void release(Subscriber subscriber, ClaimedRanges ranges) {
        claims.forEachLease(subscriber, ranges, (lane, run) -> returns.giveBack(lane, run, false, 0, false));
    }

    /** Ends a consumer. Of what it has, the messages in {@code delivered} count as delivered once more. */
    public void detach(Subscriber subscriber, ClaimedRanges delivered) {
        claims.forEachLease(
                subscriber, delivered, (lane, run) -> returns.giveBack(lane, run, true, Returns.BY_POLICY, false));
        leave(subscriber, false);
    }

    /** A consumer's connection is gone: what it had may have been seen. */
    public void lost(Subscriber subscriber) {
        leave(subscriber, true);
    }

    private void leave(Subscriber subscriber, boolean seen) {
        if (!subscriber.attached) {
            return;
        }
        for (LeaseRun run : List.copyOf(subscriber.leases)) {
            for (Lane lane : lanes) {
                if (lane.leases.contains(run)) {
                    returns.giveBack(lane, run, seen, Returns.BY_POLICY, false);
                    break;
                }
            }
        }
        audience.leave(subscriber);
        wake();
    }

    /** Moves messages that nobody has to another destination, between deliveries. */
    public void move(MoveOrder order, MoveAnswer answer) {
        jobs.add(new Relocation(this, order, answer));
        wake();
    }

    /** Goes on looking for messages that have expired with nobody looking at them, for a bounded time. */
    public void sweep(ExpirySweep sweep) {
        if (!ended) {
            budget.renew();
            long now = effects.nowMs();
            for (Lane lane : lanes) {
                lane.refresh(now, audience.scansOf(lane));
            }
            sweep.step(this, budget, now);
        }
    }

    /**
     * Finds out why a consumer gets nothing.
     *
     * @param selector of the consumer in question; null: of any that is attached, or of one without a selector
     */
    public void explain(@Nullable Selector selector, Consumer<Explanation> answer) {
        jobs.add(new Inquiry(this, judge, selector, answer));
        wake();
    }

    /** A lease has ended for good. */
    void done(Lane lane, LeaseRun run) {
        if (lane.leases.contains(run)) {
            lane.leases.remove(run);
            audience.back(run);
        }
    }

    /** What was to be acknowledged is not. */
    void restore(Lane lane, LeaseRun run, @Nullable Subscriber holder) {
        if (!lane.leases.contains(run)) {
            return;
        }
        if (holder != null && holder.attached) {
            lane.leases.hold(run, holder);
        } else {
            returns.giveBack(lane, run, holder != null, Returns.BY_POLICY, false);
        }
    }

    /** Acknowledges messages that nobody has. */
    void drop(Lane lane, LeaseRun run) {
        AckTicket ticket = new AckTicket(this, null);
        ticket.take(lane, run);
        acknowledgements.add(ticket, AckAnswer.NONE);
    }

    void unreadable(Lane lane, IOException cause) {
        lane.brokenUntilMs = effects.nowMs() + RETRY_MS;
        effects.unreadable(lane.number, cause);
    }

    /** Sees to it that a look is taken at what can be delivered. Any thread. */
    public void wake() {
        if (scheduled.compareAndSet(false, true)) {
            effects.soon(this::turn);
        }
    }

    private void advanced() {
        if (scheduled.compareAndSet(false, true)) {
            effects.advanced(this::turn);
        }
    }

    private void turn() {
        scheduled.set(false);
        if (ended) {
            effects.idle();
            return;
        }
        if (subscription.gone()) {
            end("the subscription " + name() + " was deleted");
            return;
        }
        grow();
        budget.renew();
        long now = effects.nowMs();
        for (Lane lane : lanes) {
            lane.refresh(now, audience.scansOf(lane));
            if (lane.brokenUntilMs <= now) {
                lane.brokenUntilMs = 0;
            }
        }
        audience.freeGroups(now);
        returns.work(budget, now);
        boolean unfinished =
                returns.canWork(now) | serve(now) | audience.browsers.serve(budget, now) | jobs.work(budget, now);
        lanes.forEach(lane -> lane.recordAll(effects));
        if (unfinished) {
            wake();
        } else {
            rest(now);
        }
    }

    private void grow() {
        Partition[] partitions = topic.partitions();
        int known = Math.min(partitions.length, subscription.partitionCount());
        for (int i = lanes.size(); i < known; i++) {
            var cursor = subscription.cursor(i);
            boolean kept = !subscription.isTransient();
            DeliveredMark mark = new DeliveredMark(i, kept, cursor.deliveredMark(), effects, this::wake);
            Lane lane = new Lane(i, partitions[i], cursor, scratch, mark, returns.policyForBacklog(), this::advanced);
            lanes.add(lane);
            lane.refresh(effects.nowMs(), List.of());
            for (SelectorClass each : audience.classes) {
                each.scans.add(lane.newScan(effects.nowMs()));
            }
        }
    }

    /** Serves each class once; true if the turn's budget ended it. */
    private boolean serve(long now) {
        if (!readGroups()) {
            return true;
        }
        List<SelectorClass> classes = audience.classes;
        boolean unfinished = false;
        int count = classes.size();
        for (int i = 0; i < count; i++) {
            SelectorClass next = classes.get((firstClass + i) % count);
            Pump.Outcome outcome = subscription.paused() ? Pump.Outcome.EXHAUSTED : pump.serve(next, now);
            unfinished |= outcome == Pump.Outcome.UNFINISHED;
            for (Subscriber member : next.members) {
                boolean drained = outcome == Pump.Outcome.EXHAUSTED && member.nothingParked();
                if (member.draining() && (drained || member.drainFull())) {
                    member.endDrain();
                    unfinished |= member.wants();
                }
            }
            if (outcome == Pump.Outcome.EXHAUSTED) {
                next.noteAhead();
            }
        }
        firstClass++;
        return unfinished;
    }

    /** Finds out which groups rest; false if the turn's budget ended it. */
    private boolean readGroups() {
        boolean known = true;
        for (Lane lane : lanes) {
            try {
                known &= lane.brokenUntilMs > 0 || lane.readGroups(budget);
            } catch (IOException e) {
                unreadable(lane, e);
            }
        }
        return known;
    }

    /** Nothing more can be done now: waits for the log, for a time, or for good. */
    private void rest(long now) {
        boolean wanted = audience.wants();
        long next = Alarm.NEVER;
        for (Lane lane : lanes) {
            lane.window.rest();
            if (wanted) {
                lane.listen();
            }
            if (wanted && !lane.delays.isEmpty()) {
                next = Math.min(next, lane.delays.nextDue());
            }
            if (lane.brokenUntilMs > now) {
                next = Math.min(next, lane.brokenUntilMs);
            }
        }
        next = Math.min(next, returns.nextTryMs());
        alarm.set(next);
        if (audience.subscribers.isEmpty() && jobs.isEmpty() && acknowledgements.isEmpty() && returns.isEmpty()) {
            settle();
        }
    }

    private void settle() {
        for (Lane lane : lanes) {
            lane.settle();
        }
        if (idle()) {
            effects.idle();
        }
    }

    /** An operator has moved or purged the subscription: who has what no longer counts. */
    public void reset() {
        forgetLanes();
        grow();
        wake();
    }

    private void forgetLanes() {
        for (Lane lane : lanes) {
            lane.stopListening();
            lane.leases.clear();
        }
        lanes.clear();
        returns.forget();
        audience.forgetMessages();
    }

    /** Detaches everyone. */
    public void end(String reason) {
        ended = true;
        forgetLanes();
        alarm.set(Alarm.NEVER);
        audience.end(reason);
        effects.idle();
    }

    public boolean ended() {
        return ended;
    }

    /** Lets go of one that is {@link #idle}. */
    public void close() {
        ended = true;
        forgetLanes();
        alarm.set(Alarm.NEVER);
    }
}
