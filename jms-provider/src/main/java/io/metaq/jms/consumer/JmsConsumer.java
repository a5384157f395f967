package io.metaq.jms.consumer;

import io.metaq.client.subscription.Delivery;
import io.metaq.jms.destination.MetaQDestination;
import io.metaq.jms.failure.Deadline;
import io.metaq.jms.failure.Failures;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageListener;
import jakarta.jms.StreamMessage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A consumer of any destination. */
public class JmsConsumer implements MessageConsumer {

    private static final long FOREVER = Long.MAX_VALUE;

    private final ConsumerHost host;
    private final Intake intake;
    private final MetaQDestination destination;
    private final @Nullable String selector;
    private volatile @Nullable MessageListener listener;
    private volatile boolean closed;

    public JmsConsumer(ConsumerHost host, Intake intake, MetaQDestination destination, @Nullable String selector) {
        this.host = host;
        this.intake = intake;
        this.destination = destination;
        this.selector = selector;
    }

    /** What comes to it. */
    public Intake intake() {
        return intake;
    }

    /** What it consumes from. */
    public MetaQDestination destination() {
        return destination;
    }

    @Override
    public @Nullable String getMessageSelector() throws JMSException {
        checkOpen();
        return selector;
    }

    @Override
    public @Nullable MessageListener getMessageListener() throws JMSException {
        checkOpen();
        return listener;
    }

    @Override
    public void setMessageListener(@Nullable MessageListener newListener) throws JMSException {
        checkOpen();
        host.listen(this, newListener);
        listener = newListener;
    }

    @Override
    public @Nullable Message receive() throws JMSException {
        return receive(FOREVER, false);
    }

    @Override
    public @Nullable Message receive(long timeout) throws JMSException {
        return receive(timeout <= 0 ? FOREVER : TimeUnit.MILLISECONDS.toNanos(timeout), false);
    }

    @Override
    public @Nullable Message receiveNoWait() throws JMSException {
        return receive(0, true);
    }

    private @Nullable Message receive(long nanos, boolean noWait) throws JMSException {
        Delivery delivery = take(nanos, noWait);
        if (delivery == null) {
            return null;
        }
        Message message = host.decode(intake, delivery);
        host.received(intake, delivery, message);
        return message;
    }

    /**
     * Receives a message's body.
     *
     * @param nanos how long to wait; negative for ever, 0 not at all
     * @return null when no message comes
     * @throws MessageFormatException when the body cannot be given as this type: where acknowledgement is automatic, the message stays
     */
    public <T> @Nullable T receiveBody(Class<T> type, long nanos) throws JMSException {
        Delivery delivery = take(nanos < 0 ? FOREVER : nanos, nanos == 0);
        if (delivery == null) {
            return null;
        }
        Message message = host.decode(intake, delivery);
        T body = null;
        boolean fits = !(message instanceof StreamMessage) && message.isBodyAssignableTo(type);
        if (fits) {
            body = message.getBody(type);
        }
        if (body == null) {
            refuse(delivery, message, type);
            return null;
        }
        host.received(intake, delivery, message);
        return body;
    }

    private void refuse(Delivery delivery, Message message, Class<?> type) throws JMSException {
        if (host.mayPutBack()) {
            intake.gate().lock();
            try {
                intake.putBack(delivery);
            } finally {
                intake.gate().unlock();
            }
        } else {
            host.received(intake, delivery, message);
        }
        throw new MessageFormatException("the message has no body that could be a " + type.getName());
    }

    private @Nullable Delivery take(long nanos, boolean noWait) throws JMSException {
        checkOpen();
        host.checkReceive();
        if (noWait) {
            host.settleSends();
            Delivery waiting = await(0);
            return waiting != null ? waiting : lastLook(true);
        }
        Delivery delivery = await(nanos);
        if (delivery != null || nanos == FOREVER || !intake.mayKeepFromOthers()) {
            return delivery;
        }
        // Whoever stops waiting leaves no credit behind: what came on it would be kept from others.
        return lastLook(false);
    }

    /** @return null when the time is over or the consumer closed */
    private @Nullable Delivery await(long nanos) throws JMSException {
        Gate gate = intake.gate();
        gate.lock();
        if (nanos > 0) {
            intake.demand().receiveBegins();
        }
        try {
            long left = nanos;
            long asked = 0;
            while (true) {
                Delivery next = gate.isOpen() && !intake.isClosing() ? intake.nextUnexpired() : null;
                if (next != null || gate.isClosed() || intake.isClosing()) {
                    noteWait(next, asked);
                    return next;
                }
                checkAlive(gate);
                if (left <= 0) {
                    return null;
                }
                if (asked == 0) {
                    asked = System.nanoTime();
                }
                intake.refill();
                left = gate.await(left);
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        } finally {
            if (nanos > 0) {
                intake.receiveEnds();
            }
            gate.unlock();
        }
    }

    private static JMSException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return Failures.because(new JMSException("receive: interrupted"), cause);
    }

    private void noteWait(@Nullable Delivery found, long asked) {
        if (found != null && asked != 0) {
            intake.demand().waited(System.nanoTime() - asked);
        }
    }

    private void checkAlive(Gate gate) throws JMSException {
        String reason = intake.ended();
        if (reason != null) {
            throw new JMSException("the broker ended the consumer of " + destination + ": " + reason);
        }
        JMSException failure = gate.failure();
        if (failure != null) {
            throw Failures.because(new JMSException(failure.getMessage()), failure);
        }
    }

    /**
     * Takes the credit back and looks once more.
     *
     * @param ask whether the broker is to send what is ready now
     */
    private @Nullable Delivery lastLook(boolean ask) throws JMSException {
        Deadline deadline = host.answer();
        while (true) {
            int ready = ready(ask, deadline);
            if (ready < 0) {
                return null;
            }
            long asked = System.nanoTime();
            deadline.awaitCalmly(intake.drain(ready), "receive from " + destination);
            long took = System.nanoTime() - asked;
            boolean came = hasWaiting();
            Delivery found = await(0);
            // Where something came and nothing is left, it had expired: there may be more behind it.
            if (found != null || !came || !ask) {
                noteLook(ask && found != null, took);
                return found;
            }
        }
    }

    private void noteLook(boolean found, long nanos) {
        if (found) {
            Gate gate = intake.gate();
            gate.lock();
            intake.demand().waited(nanos);
            gate.unlock();
        }
    }

    /** @return how many messages to ask for; negative when none may flow now */
    private int ready(boolean ask, Deadline deadline) throws JMSException {
        Gate gate = intake.gate();
        gate.lock();
        try {
            while (gate.isOpen() && !intake.isClosing() && intake.isGoingBack() && !deadline.hasPassed()) {
                gate.await(deadline.nanosLeft());
            }
            if (!gate.isOpen() || intake.isClosing() || intake.isGoingBack()) {
                return -1;
            }
            return ask ? intake.demand().lookAhead() : 0;
        } catch (InterruptedException e) {
            throw interrupted(e);
        } finally {
            gate.unlock();
        }
    }

    private boolean hasWaiting() {
        Gate gate = intake.gate();
        gate.lock();
        try {
            return intake.hasWaiting();
        } finally {
            gate.unlock();
        }
    }

    @Override
    public void close() throws JMSException {
        if (!closed) {
            closed = true;
            host.close(this);
        }
    }

    /** The session is closed, and everything of it with it. */
    public void sessionClosed() {
        closed = true;
    }

    final void checkOpen() throws JMSException {
        if (closed) {
            throw Failures.closed("consumer");
        }
    }
}
