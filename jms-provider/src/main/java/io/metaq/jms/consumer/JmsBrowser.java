package io.metaq.jms.consumer;

import io.metaq.client.subscription.Attachment;
import io.metaq.client.subscription.Delivery;
import io.metaq.jms.destination.MetaQQueue;
import io.metaq.jms.failure.Deadline;
import io.metaq.jms.failure.Failures;
import io.metaq.jms.transport.Transport;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import java.util.Enumeration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Looks at what a queue holds and takes nothing. Each enumeration sees the queue as it is when it is made. */
public final class JmsBrowser implements QueueBrowser {

    /** Makes message objects for those who only look. */
    @FunctionalInterface
    public interface Decoder {
        Message decode(Delivery delivery) throws JMSException;
    }

    private final MetaQQueue queue;
    private final Transport transport;
    private final Attachment attachment;
    private final Decoder decoder;
    private final Runnable beforeLook;
    private final Set<BrowseCursor> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** @param beforeLook waits until what this connection sent without waiting can be seen */
    public JmsBrowser(
            MetaQQueue queue, Transport transport, Attachment attachment, Decoder decoder, Runnable beforeLook) {
        this.queue = queue;
        this.transport = transport;
        this.attachment = attachment;
        this.decoder = decoder;
        this.beforeLook = beforeLook;
    }

    @Override
    public Queue getQueue() throws JMSException {
        checkOpen();
        return queue;
    }

    @Override
    public @Nullable String getMessageSelector() throws JMSException {
        checkOpen();
        return attachment.selector();
    }

    @Override
    public Enumeration<Message> getEnumeration() throws JMSException {
        checkOpen();
        beforeLook.run();
        BrowseCursor cursor = new BrowseCursor(decoder, transport, open::remove);
        try {
            cursor.attached(transport.answer().await(transport.link().attach(attachment, cursor), "browse " + queue));
        } catch (JMSException e) {
            throw Failures.ofAttach(Failures.causeOf(e), "browse " + queue);
        }
        open.add(cursor);
        return cursor;
    }

    @Override
    public void close() {
        closed = true;
        Deadline deadline = transport.answer();
        for (BrowseCursor cursor : open) {
            deadline.awaitCalmly(cursor.close(), "end browsing " + queue);
        }
    }

    /** Whether the application closed it. */
    public boolean isClosed() {
        return closed;
    }

    private void checkOpen() throws JMSException {
        if (closed) {
            throw Failures.closed("browser");
        }
    }
}
