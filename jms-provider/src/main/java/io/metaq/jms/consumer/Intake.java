package io.metaq.jms.consumer;

import io.metaq.client.subscription.AttachedConsumer;
import io.metaq.client.subscription.Delivery;
import io.metaq.client.subscription.DeliveryHandler;
import io.metaq.jms.destination.MetaQDestination;
import io.metaq.protocol.Ranges;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What comes from the broker to one consumer: its credit, the messages that wait for the application, and the end of it all.
 *
 * <p>A message is the broker's until it is delivered; then it waits here; then it is <em>shown</em> to the application and counts until
 * it is settled (acknowledged or rejected). What waits here goes back to the broker without a trace when the connection is stopped, when
 * nobody receives for {@link #IDLE_MS}, and when the consumer is closed. A closed consumer stays attached until everything that it
 * showed is settled: acknowledgements belong to the session and outlive the consumer.
 *
 * <p>Guarded by the session's {@link Gate}; methods take it themselves unless they say otherwise.
 */
public final class Intake implements DeliveryHandler {

    /** After so long without a receive, what waits is given back for others, in milliseconds. */
    static final long IDLE_MS = 300;

    private static final long BY_POLICY = -1;
    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    /** Told, with the gate held, that a message waits where none waited before. */
    @FunctionalInterface
    public interface Readiness {
        void ready(Intake intake);
    }

    private final MetaQDestination destination;
    private final Gate gate;
    private final Readiness readiness;
    private final IdleWatch idleWatch;
    private final Rivals rivals;
    private final Demand demand;
    private final Buffer waiting = new Buffer();
    private final Credit credit;

    private @Nullable AttachedConsumer attached;
    private int draining;

    /** Steps under way at whose end what waits goes back: until then nothing may come behind it. */
    private int givingBack;

    /** Steps under way during which nothing may be shown either. */
    private int paused;

    private boolean closing;
    private int shown;
    private @Nullable String ended;
    private @Nullable CompletableFuture<Void> detaching;

    /**
     * @param rivals who else could get what comes here
     * @param prefetch most messages that wait here
     * @param prefetchBytes most bytes that wait here, but for one message
     */
    public Intake(
            MetaQDestination destination,
            Rivals rivals,
            Gate gate,
            IdleWatch idleWatch,
            int prefetch,
            int prefetchBytes,
            Readiness readiness) {
        this.destination = destination;
        this.gate = gate;
        this.idleWatch = idleWatch;
        this.credit = new Credit(prefetchBytes);
        this.rivals = rivals;
        this.demand = new Demand(prefetch, rivals != Rivals.OTHERS);
        this.readiness = readiness;
    }

    /** The broker knows the consumer from now on. */
    public void attached(AttachedConsumer consumer) {
        gate.lock();
        try {
            attached = consumer;
        } finally {
            gate.unlock();
        }
    }

    /** @throws IllegalStateException before {@link #attached} */
    public AttachedConsumer consumer() {
        AttachedConsumer consumer = attached;
        if (consumer == null) {
            throw new IllegalStateException("not attached yet");
        }
        return consumer;
    }

    /** What it consumes from. */
    public MetaQDestination destination() {
        return destination;
    }

    public Gate gate() {
        return gate;
    }

    // ---- from the network

    @Override
    public void delivered(Delivery message) {
        gate.lock();
        try {
            credit.used(message);
            if (closing) {
                giveBackLate(message);
                return;
            }
            waiting.add(message);
            if (waiting.size() == 1) {
                readiness.ready(this);
            }
            gate.signal();
            watchIdleness();
        } finally {
            gate.unlock();
        }
    }

    /** What comes to a closed consumer: its detach gives everything back, but a consumer that waits to be settled is not detached. */
    private void giveBackLate(Delivery message) {
        if (detaching == null) {
            consumer().release(range(message));
        }
    }

    @Override
    public void lost() {
        gate.lock();
        try {
            waiting.clear();
            credit.forget();
        } finally {
            gate.unlock();
        }
    }

    @Override
    public void reset() {
        gate.lock();
        try {
            waiting.clear();
            credit.forget();
            refill();
            gate.signal();
        } finally {
            gate.unlock();
        }
    }

    @Override
    public void detached(String reason) {
        gate.lock();
        try {
            ended = reason;
            waiting.clear();
            credit.forget();
            gate.signal();
        } finally {
            gate.unlock();
        }
    }

    /** Why the broker ended the consumer; null while it goes on. With the gate held. */
    public @Nullable String ended() {
        return ended;
    }

    // ---- towards the application, with the gate held

    /** Takes the message that waits longest; counts it as shown. @return null when none waits, or nothing may be shown now */
    public @Nullable Delivery poll() {
        Delivery message = paused > 0 ? null : waiting.poll();
        if (message != null) {
            shown++;
            if (demand.taken()) {
                refill();
            }
        }
        return message;
    }

    /** As {@link #poll}, but passes over what has expired: that goes back to the broker, which knows what is to be done with it. */
    public @Nullable Delivery nextUnexpired() {
        Delivery next = poll();
        while (next != null && Expiry.hasPassed(next, System.currentTimeMillis())) {
            consumer().release(range(next));
            settled(1);
            next = poll();
        }
        return next;
    }

    /** Puts the message back that {@link #poll} took just now, as if it had not. */
    public void putBack(Delivery message) {
        shown--;
        waiting.addFirst(message);
        watchIdleness();
    }

    public boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    /** Who waits for messages. With the gate held. */
    Demand demand() {
        return demand;
    }

    /** A receive ends, with or without a message. */
    void receiveEnds() {
        demand.receiveEnds();
        watchIdleness();
    }

    /** Whether messages go to a listener, which is kept supplied, or to whoever calls receive. */
    public void setListening(boolean listener) {
        demand.setListening(listener);
        refill();
    }

    /** Supplies a listener, or whoever waits in receive, as far as the prefetch allows. */
    public void refill() {
        boolean held = draining > 0 || isGoingBack() || closing || ended != null || !gate.isOpen();
        if (!held && demand.isThere()) {
            credit.refill(demand.messages(), waiting, consumer());
        }
    }

    // ---- taking back

    /**
     * Takes the credit back.
     *
     * @param ready how many messages are to come nevertheless, of those that are ready now
     * @return completes behind the last delivery
     */
    CompletableFuture<Void> drain(int ready) {
        gate.lock();
        try {
            if (attached == null
                    || ended != null
                    || detaching != null
                    || (ready == 0 && credit.isNone() && draining == 0)) {
                return DONE;
            }
            draining++;
            credit.forget();
            return consumer().drain(ready).handle((count, failure) -> {
                drained();
                return null;
            });
        } finally {
            gate.unlock();
        }
    }

    private void drained() {
        gate.lock();
        try {
            draining--;
            credit.forget();
            refill();
            gate.signal();
        } finally {
            gate.unlock();
        }
    }

    /**
     * Shows nothing and gives no more credit until {@link #resume}, and little after it, since something failed. Whoever pauses resumes as
     * often, whenever what he does has come to its end.
     */
    public void pause() {
        gate.lock();
        paused++;
        demand.rewound();
        gate.unlock();
    }

    /** Ends a {@link #pause}. */
    public void resume() {
        gate.lock();
        try {
            paused--;
            goOn();
        } finally {
            gate.unlock();
        }
    }

    /** The connection is started. */
    public void started() {
        gate.lock();
        try {
            goOn();
        } finally {
            gate.unlock();
        }
    }

    private void goOn() {
        refill();
        if (!waiting.isEmpty()) {
            readiness.ready(this);
        }
        gate.signal();
    }

    /** Whether something goes back to the broker, before which nothing may come. With the gate held. */
    boolean isGoingBack() {
        return paused > 0 || givingBack > 0;
    }

    /** The delivery of these failed. @return completes when the broker has counted it */
    public CompletableFuture<Void> reject(Ranges ranges) {
        gate.lock();
        try {
            return isGone() ? DONE : consumer().reject(ranges, BY_POLICY);
        } finally {
            gate.unlock();
        }
    }

    /** Takes back the credit and gives back what waits. @return completes when the broker has everything back */
    public CompletableFuture<Void> quiesce() {
        return beginToGiveBack().handle((done, failure) -> giveBack()).thenCompose(released -> released);
    }

    /** Takes back the credit. @return completes behind the last delivery: then {@link #giveBack} is to be called */
    public CompletableFuture<Void> beginToGiveBack() {
        gate.lock();
        givingBack++;
        gate.unlock();
        return drain(0);
    }

    /** Gives back what waits, as never delivered. Credit that is given from then on follows it, and so do messages. */
    public CompletableFuture<Void> giveBack() {
        gate.lock();
        try {
            givingBack--;
            boolean nothing = waiting.isEmpty() || ended != null || detaching != null;
            CompletableFuture<Void> released = nothing ? DONE : consumer().release(waiting.takeAll());
            // Somebody may have come to receive meanwhile, and what waited was all that was asked for.
            refill();
            gate.signal();
            return released;
        } finally {
            gate.unlock();
        }
    }

    /** @return whether there is nothing to watch any more */
    boolean giveBackWhenIdle(long now) {
        gate.lock();
        try {
            if (closing || demand.isListening() || ended != null || !holdsSomething()) {
                return true;
            }
            if (demand.isReceiving() || now - demand.lastReceive() < TimeUnit.MILLISECONDS.toNanos(IDLE_MS)) {
                return false;
            }
            demand.idle();
        } finally {
            gate.unlock();
        }
        quiesce();
        return true;
    }

    /** Whether somebody else could want what waits here: even a temporary queue may have a second consumer. */
    boolean mayKeepFromOthers() {
        return rivals == Rivals.OTHERS || destination.isQueue();
    }

    /** Whether it makes no difference to anybody when exactly a message is acknowledged. */
    public boolean mayAcknowledgeLater() {
        return rivals == Rivals.NONE;
    }

    private boolean holdsSomething() {
        return !waiting.isEmpty() || !credit.isNone();
    }

    private void watchIdleness() {
        if (mayKeepFromOthers() && !closing && !demand.isThere() && holdsSomething()) {
            idleWatch.watch(this);
        }
    }

    // ---- settling and ending

    /** So many of the messages that were shown are acknowledged or rejected. */
    public void settled(int messages) {
        gate.lock();
        try {
            shown -= messages;
            if (closing && shown == 0 && detaching == null) {
                detach(Ranges.none());
            }
        } finally {
            gate.unlock();
        }
    }

    /**
     * Ends the consumer as far as the application sees it; detaches it when nothing is left to settle.
     *
     * @return completes when the broker knows
     */
    public CompletableFuture<Void> close() {
        gate.lock();
        try {
            if (closing) {
                return detaching == null ? DONE : detaching;
            }
            closing = true;
            gate.signal();
            if (attached == null || ended != null) {
                return DONE;
            }
            return shown == 0 ? detach(Ranges.none()) : quiesce();
        } finally {
            gate.unlock();
        }
    }

    /**
     * Ends it whatever is not settled.
     *
     * @param delivered what was shown and is not settled: comes again as redelivered
     */
    public CompletableFuture<Void> detach(Ranges delivered) {
        gate.lock();
        try {
            closing = true;
            waiting.clear();
            gate.signal();
            if (attached == null || ended != null) {
                return DONE;
            }
            if (detaching == null) {
                detaching = consumer().detach(delivered);
            }
            return detaching;
        } finally {
            gate.unlock();
        }
    }

    /** Whether the application closed it. With the gate held. */
    public boolean isClosing() {
        return closing;
    }

    /** Whether the broker was told that it is over, or said so itself. */
    public boolean isGone() {
        gate.lock();
        try {
            return detaching != null || ended != null;
        } finally {
            gate.unlock();
        }
    }

    /** Takes a closed consumer that is still attached into use again. @return false if it is too late */
    public boolean reopen() {
        gate.lock();
        try {
            if (!closing || isGone() || attached == null) {
                return false;
            }
            closing = false;
            return true;
        } finally {
            gate.unlock();
        }
    }

    /** Where a message lies. */
    public static Ranges range(Delivery message) {
        return Ranges.of(message.partition(), message.offset(), message.endOffset());
    }
}
