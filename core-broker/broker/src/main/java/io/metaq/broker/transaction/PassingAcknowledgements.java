package io.metaq.broker.transaction;

import io.metaq.broker.subscription.HostedDispatch;
import io.metaq.state.dispatch.AckTicket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What transactions acknowledge on subscriptions that are not journalled: those end with their consumers, or with the broker, and no
 * record knows them. The messages stay out until the transaction ends. Any thread.
 */
public final class PassingAcknowledgements {
    private final Map<String, List<Held>> byKey = new ConcurrentHashMap<>();

    /** Messages claimed from a dispatch. */
    public record Held(HostedDispatch host, AckTicket ticket) {}

    /** Keeps claims for the transaction of this key. */
    public void hold(String key, List<Held> claims) {
        byKey.merge(key, claims, (before, more) -> {
            List<Held> all = new ArrayList<>(before);
            all.addAll(more);
            return all;
        });
    }

    public boolean holds(String key) {
        return byKey.containsKey(key);
    }

    /** The transaction has ended. */
    public void end(String key, boolean committed) {
        List<Held> claims = byKey.remove(key);
        if (claims == null) {
            return;
        }
        for (Held held : claims) {
            held.host().execute(dispatch -> {
                if (committed) {
                    dispatch.acknowledged(held.ticket());
                } else {
                    held.ticket().rolledBack();
                }
            });
        }
    }
}
