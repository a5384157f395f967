package io.metaq.jms.session;

import io.metaq.client.MetaqException;
import io.metaq.client.TopicBrowser;
import io.metaq.jms.destination.MetaQTopic;
import io.metaq.jms.failure.Failures;
import io.metaq.jms.failure.RuntimeFailures;
import io.metaq.jms.message.MessageDecoder;
import io.metaq.message.HeaderField;
import io.metaq.message.MalformedPropertiesException;
import io.metaq.message.MessageFlags;
import io.metaq.message.PropertyBlock;
import io.metaq.message.Selector;
import jakarta.jms.Message;
import java.nio.ByteBuffer;
import java.util.Enumeration;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One walk over a topic's retained messages. */
final class RetainedMessages implements Enumeration<Message> {

    private final MessageDecoder decoder;
    private final MetaQTopic topic;
    private final TopicBrowser messages;
    private final @Nullable Selector selector;
    private io.metaq.client.@Nullable Message next;
    private volatile boolean closed;

    RetainedMessages(MessageDecoder decoder, MetaQTopic topic, TopicBrowser messages, @Nullable Selector selector) {
        this.decoder = decoder;
        this.topic = topic;
        this.messages = messages;
        this.selector = selector;
    }

    @Override
    public boolean hasMoreElements() {
        try {
            while (next == null && !closed && messages.hasNext()) {
                io.metaq.client.Message candidate = messages.next();
                next = isShown(candidate, System.currentTimeMillis()) ? candidate : null;
            }
        } catch (MetaqException e) {
            throw RuntimeFailures.of(Failures.of(e, "browse " + topic));
        }
        if (next == null) {
            close();
        }
        return next != null;
    }

    private boolean isShown(io.metaq.client.Message message, long nowMs) {
        try {
            PropertyBlock block = PropertyBlock.ofBody(flagWithoutAttribute(message), message.buffer());
            if (block != null) {
                long expiration = block.headerLong(HeaderField.EXPIRATION, 0);
                if (expiration > 0 && expiration <= nowMs || block.headerLong(HeaderField.DELIVERY_TIME, 0) > nowMs) {
                    return false;
                }
            }
            return selector == null || selector.matches(block, message.id());
        } catch (MalformedPropertiesException e) {
            // As in a subscription: it matches no selector, and is shown where there is none.
            return selector == null;
        }
    }

    @Override
    public Message nextElement() {
        if (!hasMoreElements()) {
            throw new NoSuchElementException("the topic retains no more messages");
        }
        io.metaq.client.Message shown = Objects.requireNonNull(next);
        next = null;
        return decoder.decode(topic, shown.id(), flagWithoutAttribute(shown), ByteBuffer.wrap(shown.data()), 1);
    }

    /** The client has taken the attribute off. */
    private static int flagWithoutAttribute(io.metaq.client.Message message) {
        return message.flag() & ~MessageFlags.ATTRIBUTE;
    }

    void close() {
        if (!closed) {
            closed = true;
            messages.close();
        }
    }

    boolean isClosed() {
        return closed;
    }
}
