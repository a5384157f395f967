package io.metaq.jms.producer;

import io.metaq.jms.destination.MetaQDestination;
import io.metaq.jms.failure.Failures;
import jakarta.jms.CompletionListener;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageProducer;
import org.jspecify.annotations.Nullable;

/** A producer for one destination, or for any that a send names. */
public class JmsProducer implements MessageProducer {

    private final ProducerHost host;
    private final @Nullable MetaQDestination destination;
    private SendOptions options = SendOptions.DEFAULT;
    private volatile boolean closed;

    /** @param destination null for a producer that is told with each send */
    public JmsProducer(ProducerHost host, @Nullable MetaQDestination destination) {
        this.host = host;
        this.destination = destination;
    }

    @Override
    public void send(Message message) throws JMSException {
        send(target(message), message, options);
    }

    @Override
    public void send(Message message, int mode, int priority, long timeToLive) throws JMSException {
        send(target(message), message, options.with(mode, priority, timeToLive));
    }

    @Override
    public void send(@Nullable Destination to, Message message) throws JMSException {
        send(target(to, message), message, options);
    }

    @Override
    public void send(@Nullable Destination to, Message message, int mode, int priority, long timeToLive)
            throws JMSException {
        send(target(to, message), message, options.with(mode, priority, timeToLive));
    }

    @Override
    public void send(Message message, CompletionListener listener) throws JMSException {
        checkListener(listener);
        sendAsync(target(message), message, options, listener);
    }

    @Override
    public void send(Message message, int mode, int priority, long timeToLive, CompletionListener listener)
            throws JMSException {
        checkListener(listener);
        sendAsync(target(message), message, options.with(mode, priority, timeToLive), listener);
    }

    @Override
    public void send(@Nullable Destination to, Message message, CompletionListener listener) throws JMSException {
        checkListener(listener);
        sendAsync(target(to, message), message, options, listener);
    }

    @Override
    public void send(
            @Nullable Destination to,
            Message message,
            int mode,
            int priority,
            long timeToLive,
            CompletionListener listener)
            throws JMSException {
        checkListener(listener);
        sendAsync(target(to, message), message, options.with(mode, priority, timeToLive), listener);
    }

    /** Sends with these options instead of the producer's own. */
    public void send(MetaQDestination to, Message message, SendOptions how) throws JMSException {
        host.sends().send(to, message, how);
    }

    /** Sends without waiting, with these options instead of the producer's own. */
    public void sendAsync(MetaQDestination to, Message message, SendOptions how, CompletionListener listener)
            throws JMSException {
        host.sends().send(this, to, message, how, listener);
    }

    private static void checkListener(@Nullable CompletionListener listener) {
        if (listener == null) {
            throw new IllegalArgumentException("an asynchronous send needs a completion listener");
        }
    }

    private MetaQDestination target(@Nullable Message message) throws JMSException {
        checkOpen();
        checkMessage(message);
        if (destination == null) {
            throw new UnsupportedOperationException("the producer has no destination: name one with the send");
        }
        return destination;
    }

    /** Checks the arguments before the right to give them: a null is reported as what it is. */
    protected final MetaQDestination target(@Nullable Destination to, @Nullable Message message) throws JMSException {
        checkOpen();
        checkMessage(message);
        MetaQDestination target = MetaQDestination.from(to);
        if (target == null) {
            throw new InvalidDestinationException(
                    to == null ? "the destination is null" : to + " is neither a queue nor a topic");
        }
        if (destination != null) {
            throw new UnsupportedOperationException("the producer has a destination: " + destination);
        }
        return target;
    }

    private static void checkMessage(@Nullable Message message) throws MessageFormatException {
        if (message == null) {
            throw new MessageFormatException("the message is null");
        }
    }

    @Override
    public void setDisableMessageID(boolean value) throws JMSException {
        checkOpen();
        options = options.withMessageId(!value);
    }

    @Override
    public boolean getDisableMessageID() throws JMSException {
        checkOpen();
        return !options.messageId();
    }

    @Override
    public void setDisableMessageTimestamp(boolean value) throws JMSException {
        checkOpen();
        options = options.withTimestamp(!value);
    }

    @Override
    public boolean getDisableMessageTimestamp() throws JMSException {
        checkOpen();
        return !options.timestamp();
    }

    @Override
    public void setDeliveryMode(int mode) throws JMSException {
        checkOpen();
        options = options.withDeliveryMode(mode);
    }

    @Override
    public int getDeliveryMode() throws JMSException {
        checkOpen();
        return options.deliveryMode();
    }

    @Override
    public void setPriority(int priority) throws JMSException {
        checkOpen();
        options = options.withPriority(priority);
    }

    @Override
    public int getPriority() throws JMSException {
        checkOpen();
        return options.priority();
    }

    @Override
    public void setTimeToLive(long millis) throws JMSException {
        checkOpen();
        options = options.withTimeToLive(millis);
    }

    @Override
    public long getTimeToLive() throws JMSException {
        checkOpen();
        return options.timeToLiveMs();
    }

    @Override
    public void setDeliveryDelay(long millis) throws JMSException {
        checkOpen();
        options = options.withDeliveryDelay(millis);
    }

    @Override
    public long getDeliveryDelay() throws JMSException {
        checkOpen();
        return options.deliveryDelayMs();
    }

    @Override
    public @Nullable Destination getDestination() throws JMSException {
        checkOpen();
        return destination;
    }

    /** Waits for the completion listeners of its sends. */
    @Override
    public void close() throws JMSException {
        if (closed) {
            return;
        }
        Completions completions = host.sends().completions();
        if (completions.isCallbackOf(this)) {
            throw new IllegalStateException("a producer cannot be closed in the completion listener of its own send");
        }
        closed = true;
        if (!completions.isCallback()) {
            completions.await(this, host.closing());
        }
        host.closed(this);
    }

    /** The session is closed, and everything of it with it. */
    public final void sessionClosed() {
        closed = true;
    }

    protected final void checkOpen() throws JMSException {
        if (closed) {
            throw Failures.closed("producer");
        }
    }
}
