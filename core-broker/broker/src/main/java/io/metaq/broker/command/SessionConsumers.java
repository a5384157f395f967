package io.metaq.broker.command;

import io.metaq.broker.subscription.Attachments.Attached;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The consumers of one connection, by the numbers that its client gave them. On its event loop. */
final class SessionConsumers {
    private final Map<Integer, Attached> attached = new HashMap<>();
    private final Set<Integer> underWay = new HashSet<>();

    /** Takes a number; false if it is in use. */
    boolean reserve(int number) {
        return !attached.containsKey(number) && underWay.add(number);
    }

    /** The number's consumer is there, or, if null, will not be. */
    void settle(int number, @Nullable Attached consumer) {
        underWay.remove(number);
        if (consumer != null) {
            attached.put(number, consumer);
        }
    }

    @Nullable
    Attached get(int number) {
        return attached.get(number);
    }

    @Nullable
    Attached remove(int number) {
        return attached.remove(number);
    }

    boolean isEmpty() {
        return attached.isEmpty() && underWay.isEmpty();
    }

    /** All of the connection are lost. */
    void lost() {
        attached.values().forEach(consumer -> {
            consumer.host().execute(dispatch -> dispatch.lost(consumer.subscriber()));
            consumer.host().detached();
        });
        attached.clear();
    }
}
