package io.metaq.jms.consumer;

import io.metaq.client.subscription.AttachedConsumer;
import io.metaq.client.subscription.Delivery;
import io.metaq.client.subscription.DeliveryHandler;
import io.metaq.jms.failure.RuntimeFailures;
import io.metaq.jms.transport.Transport;
import io.metaq.protocol.Ranges;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Enumeration;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One walk over a queue's messages: asks for a hundred at a time, and ends where the queue ended when it began. */
final class BrowseCursor implements DeliveryHandler, Enumeration<Message> {

    private static final int STEP = 100;

    private final JmsBrowser.Decoder decoder;
    private final Transport transport;
    private final Consumer<BrowseCursor> whenClosed;
    private final Queue<Delivery> waiting = new ConcurrentLinkedQueue<>();

    private volatile @Nullable AttachedConsumer consumer;
    private volatile boolean ended;
    private @Nullable CompletableFuture<Void> detached;

    BrowseCursor(JmsBrowser.Decoder decoder, Transport transport, Consumer<BrowseCursor> whenClosed) {
        this.decoder = decoder;
        this.transport = transport;
        this.whenClosed = whenClosed;
    }

    void attached(AttachedConsumer attached) {
        consumer = attached;
    }

    @Override
    public void delivered(Delivery message) {
        waiting.add(message);
    }

    @Override
    public void reset() {
        // A walk that went on with another view of the queue would show messages twice or skip some.
        ended = true;
    }

    @Override
    public void detached(String reason) {
        ended = true;
    }

    @Override
    public boolean hasMoreElements() {
        return peek() != null;
    }

    @Override
    public Message nextElement() {
        Delivery next = peek();
        if (next == null) {
            throw new NoSuchElementException("the queue has no more messages");
        }
        waiting.remove();
        return RuntimeFailures.call(() -> decoder.decode(next));
    }

    private @Nullable Delivery peek() {
        while (true) {
            Delivery next = waiting.peek();
            if (next == null) {
                if (ended) {
                    return null;
                }
                RuntimeFailures.run(this::fetch);
            } else if (Expiry.hasPassed(next, System.currentTimeMillis())) {
                waiting.remove();
            } else {
                return next;
            }
        }
    }

    private void fetch() throws JMSException {
        AttachedConsumer attached = consumer;
        if (attached == null) {
            ended = true;
            return;
        }
        int count = transport.answer().await(attached.drain(STEP), "browse");
        if (count < STEP) {
            ended = true;
            close();
        }
    }

    synchronized CompletableFuture<Void> close() {
        AttachedConsumer attached = consumer;
        ended = true;
        if (detached == null) {
            detached = attached == null ? CompletableFuture.completedFuture(null) : attached.detach(Ranges.none());
            whenClosed.accept(this);
        }
        return detached;
    }
}
