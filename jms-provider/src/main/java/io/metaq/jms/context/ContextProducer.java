package io.metaq.jms.context;

import static io.metaq.jms.failure.RuntimeFailures.call;

import io.metaq.jms.destination.MetaQDestination;
import io.metaq.jms.failure.RuntimeFailures;
import io.metaq.jms.failure.RuntimeFailures.Action;
import io.metaq.jms.failure.RuntimeFailures.Call;
import io.metaq.jms.producer.JmsProducer;
import io.metaq.jms.producer.SendOptions;
import io.metaq.jms.session.JmsSession;
import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import java.io.Serializable;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A producer of the simplified API: light, told the destination with each send. */
final class ContextProducer extends ProducerTemplate {

    private final JmsSession session;
    private final JmsProducer producer;
    private SendOptions options = SendOptions.DEFAULT;
    private @Nullable CompletionListener listener;

    ContextProducer(JmsSession session) throws JMSException {
        this.session = session;
        this.producer = (JmsProducer) session.createProducer(null);
    }

    @Override
    public JMSProducer send(@Nullable Destination to, @Nullable Message message) {
        return set(() -> {
            session.checkOpen();
            if (message == null) {
                throw new MessageFormatException("the message is null");
            }
            MetaQDestination target = MetaQDestination.from(to);
            if (target == null) {
                throw new InvalidDestinationException(
                        to == null ? "the destination is null" : to + " is neither a queue nor a topic");
            }
            applyTo(message);
            CompletionListener present = listener;
            if (present == null) {
                producer.send(target, message, options);
            } else {
                producer.sendAsync(target, message, options, present);
            }
        });
    }

    private JMSProducer send(@Nullable Destination to, Call<Message> maker) {
        return send(to, call(maker));
    }

    @Override
    public JMSProducer send(@Nullable Destination to, @Nullable String body) {
        return send(to, () -> session.createTextMessage(body));
    }

    @Override
    public JMSProducer send(@Nullable Destination to, @Nullable Map<String, Object> body) {
        return send(to, () -> {
            MapMessage message = session.createMapMessage();
            if (body != null) {
                for (Map.Entry<String, Object> entry : body.entrySet()) {
                    message.setObject(entry.getKey(), entry.getValue());
                }
            }
            return message;
        });
    }

    @Override
    public JMSProducer send(@Nullable Destination to, byte @Nullable [] body) {
        return send(to, () -> {
            BytesMessage message = session.createBytesMessage();
            if (body != null) {
                message.writeBytes(body);
            }
            return message;
        });
    }

    @Override
    public JMSProducer send(@Nullable Destination to, @Nullable Serializable body) {
        return send(to, () -> session.createObjectMessage(body));
    }

    private JMSProducer set(Action action) {
        RuntimeFailures.run(action);
        return this;
    }

    @Override
    public JMSProducer setDisableMessageID(boolean value) {
        options = options.withMessageId(!value);
        return this;
    }

    @Override
    public boolean getDisableMessageID() {
        return !options.messageId();
    }

    @Override
    public JMSProducer setDisableMessageTimestamp(boolean value) {
        options = options.withTimestamp(!value);
        return this;
    }

    @Override
    public boolean getDisableMessageTimestamp() {
        return !options.timestamp();
    }

    @Override
    public JMSProducer setDeliveryMode(int mode) {
        return set(() -> options = options.withDeliveryMode(mode));
    }

    @Override
    public int getDeliveryMode() {
        return options.deliveryMode();
    }

    @Override
    public JMSProducer setPriority(int priority) {
        return set(() -> options = options.withPriority(priority));
    }

    @Override
    public int getPriority() {
        return options.priority();
    }

    @Override
    public JMSProducer setTimeToLive(long millis) {
        return set(() -> options = options.withTimeToLive(millis));
    }

    @Override
    public long getTimeToLive() {
        return options.timeToLiveMs();
    }

    @Override
    public JMSProducer setDeliveryDelay(long millis) {
        return set(() -> options = options.withDeliveryDelay(millis));
    }

    @Override
    public long getDeliveryDelay() {
        return options.deliveryDelayMs();
    }

    @Override
    public JMSProducer setAsync(@Nullable CompletionListener completionListener) {
        listener = completionListener;
        return this;
    }

    @Override
    public @Nullable CompletionListener getAsync() {
        return listener;
    }
}
