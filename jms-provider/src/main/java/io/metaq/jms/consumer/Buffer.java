package io.metaq.jms.consumer;

import io.metaq.client.subscription.Delivery;
import io.metaq.protocol.Ranges;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Messages that were delivered and not shown yet, in order. The owner synchronises. */
final class Buffer {

    private final ArrayDeque<Delivery> messages = new ArrayDeque<>();
    private long bytes;

    void add(Delivery message) {
        messages.add(message);
        bytes += message.body().length;
    }

    /** Puts back what {@link #poll} took. */
    void addFirst(Delivery message) {
        messages.addFirst(message);
        bytes += message.body().length;
    }

    @Nullable
    Delivery poll() {
        Delivery message = messages.poll();
        if (message != null) {
            bytes -= message.body().length;
        }
        return message;
    }

    boolean isEmpty() {
        return messages.isEmpty();
    }

    int size() {
        return messages.size();
    }

    long bytes() {
        return bytes;
    }

    /** Takes all of them. @return where they lie */
    Ranges takeAll() {
        Ranges.Builder ranges = Ranges.builder();
        messages.forEach(message -> ranges.add(message.partition(), message.offset(), message.endOffset()));
        clear();
        return ranges.build();
    }

    void clear() {
        messages.clear();
        bytes = 0;
    }
}
