package io.metaq.jms.session;

import io.metaq.client.MetaqException;
import io.metaq.jms.destination.MetaQTopic;
import io.metaq.jms.failure.Failures;
import io.metaq.jms.transport.ConnectionScope;
import io.metaq.message.Selector;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Topic;
import java.util.Enumeration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The browser of a topic's retained messages, over the client's own. */
final class RetainedBrowser implements TopicBrowser {

    private final ConnectionScope scope;
    private final MetaQTopic topic;
    private final @Nullable Selector selector;
    private final Runnable beforeLook;
    private final Set<RetainedMessages> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** @param beforeLook waits until what this connection sent without waiting can be seen */
    RetainedBrowser(ConnectionScope scope, MetaQTopic topic, @Nullable Selector selector, Runnable beforeLook) {
        this.scope = scope;
        this.topic = topic;
        this.selector = selector;
        this.beforeLook = beforeLook;
    }

    @Override
    public Topic getTopic() throws JMSException {
        checkOpen();
        return topic;
    }

    @Override
    public @Nullable String getMessageSelector() throws JMSException {
        checkOpen();
        return selector == null ? null : selector.text();
    }

    @Override
    public Enumeration<Message> getEnumeration() throws JMSException {
        checkOpen();
        beforeLook.run();
        open.removeIf(RetainedMessages::isClosed);
        try {
            RetainedMessages walk = new RetainedMessages(
                    scope.decoder(), topic, scope.transport().client().browse(topic.name()), selector);
            open.add(walk);
            return walk;
        } catch (MetaqException e) {
            throw Failures.of(e, "browse " + topic);
        }
    }

    @Override
    public void close() {
        closed = true;
        open.forEach(RetainedMessages::close);
    }

    boolean isClosed() {
        return closed;
    }

    private void checkOpen() throws JMSException {
        if (closed) {
            throw Failures.closed("browser");
        }
    }
}
