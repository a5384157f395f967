package io.metaq.client.subscription;

import io.metaq.protocol.Ranges;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is to happen at once: messages to send and deliveries to acknowledge. Filled by one thread, then given to
 * {@link SubscriberLink#transact} and left alone.
 */
public final class TransactionParts {
    private final List<Sent> sent = new ArrayList<>();
    private final Map<AttachedConsumer, Ranges.Builder> acknowledged = new LinkedHashMap<>();

    record Sent(String topic, int partition, int flag, byte[] body) {}

    /**
     * Sends a message. Those to one partition are stored in the order in which they were added.
     *
     * @param flag with bit 0 for an attribute in the body
     * @param body as it will be stored: attribute, property block, payload, as the flag says; not copied
     */
    public TransactionParts send(String topic, int partition, int flag, byte[] body) {
        sent.add(new Sent(topic, partition, flag, body));
        return this;
    }

    /** Acknowledges what was delivered to a consumer of the same link. */
    public TransactionParts acknowledge(AttachedConsumer consumer, Ranges ranges) {
        acknowledged.computeIfAbsent(consumer, c -> Ranges.builder()).addAll(ranges);
        return this;
    }

    public boolean isEmpty() {
        return sent.isEmpty() && acknowledged.isEmpty();
    }

    List<Sent> sent() {
        return sent;
    }

    Map<AttachedConsumer, Ranges.Builder> acknowledged() {
        return acknowledged;
    }
}
