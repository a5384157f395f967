package io.metaq.broker.command;

import io.metaq.broker.config.Settings;
import io.metaq.broker.config.TopicConfig;
import io.metaq.broker.subscription.Dispatches;
import io.metaq.state.Topic;
import io.metaq.state.dispatch.RedeliveryPolicy;
import io.metaq.state.record.Change;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;

/** What the configuration says about destinations. */
public final class DestinationRules implements Dispatches.Rules {
    private final TopicCatalog topics;

    /** By settings, which are the same object until they change. */
    private final Map<TopicConfig, RedeliveryPolicy> known = new WeakHashMap<>();

    public DestinationRules(TopicCatalog topics) {
        this.topics = topics;
    }

    @Override
    public RedeliveryPolicy policy(Topic topic) {
        TopicConfig settings = topics.settings(topic);
        synchronized (known) {
            return known.computeIfAbsent(settings, DestinationRules::read);
        }
    }

    private static RedeliveryPolicy read(TopicConfig settings) {
        return new RedeliveryPolicy(
                settings.maxDeliveries(),
                settings.get(Settings.REDELIVERY_DELAY),
                settings.get(Settings.REDELIVERY_BACKOFF),
                settings.get(Settings.MAX_REDELIVERY_DELAY),
                settings.deadLetterQueue(),
                settings.expiryQueue());
    }

    @Override
    public Optional<Change.TopicCreated> onDemand(String destination, boolean queue) {
        return topics.onDemand(destination, queue);
    }
}
