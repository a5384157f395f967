package io.metaq.broker.command;

import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.Settings;
import io.metaq.broker.config.TopicConfig;
import io.metaq.state.BrokerState;
import io.metaq.state.TemporaryTopics;
import io.metaq.state.Topic;
import io.metaq.state.record.Change;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What holds for a topic: its own settings over those of its section in the configuration file. */
public final class TopicCatalog {
    private record Known(Map<String, String> own, TopicConfig settings) {}

    private final BrokerConfig config;
    private final BrokerState state;
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    public TopicCatalog(BrokerConfig config, BrokerState state) {
        this.config = config;
        this.state = state;
    }

    /** The settings of a topic that exists. */
    public TopicConfig settings(Topic topic) {
        // Temporary topics come and go by the million; those of a kind all have the same settings.
        return knownSettings(topic, topic.temporary() ? TemporaryTopics.PREFIX + topic.kind() : topic.name());
    }

    /** As a function for use before there is a catalog: the state needs settings while it recovers. */
    public static TopicConfig settings(BrokerConfig config, Topic topic) {
        return base(config, topic.name()).withAll(topic.settings());
    }

    private TopicConfig knownSettings(Topic topic, String name) {
        Known cached = known.get(name);
        // The identity of the map of own settings changes with each change of them.
        if (cached == null || cached.own() != topic.settings()) {
            Map<String, String> own = topic.settings();
            cached = new Known(own, base(config, name).withAll(own));
            known.put(name, cached);
        }
        return cached.settings();
    }

    private static TopicConfig base(BrokerConfig config, String topic) {
        return config.acceptedTopic(topic).orElseGet(() -> config.topicDefaults(topic));
    }

    /** The settings that a topic to be created by command would have. */
    TopicConfig base(String topic) {
        return base(config, topic);
    }

    /** The change by which the first message to a topic creates it; empty if the configuration does not allow that. */
    Optional<Change.TopicCreated> onFirstMessage(String topic) {
        return config.acceptedTopic(topic).map(TopicCatalog::creation);
    }

    /**
     * The change by which the first subscription to a destination, or the first dead letter, creates it; empty if the
     * configuration does not allow that. What its section says about the kind goes before what is asked for: look at the kind
     * of what was created.
     */
    public Optional<Change.TopicCreated> onDemand(String destination, boolean queue) {
        return config.destinationOnDemand(destination, queue).map(TopicCatalog::creation);
    }

    /** The change that creates a topic as its section declares it. The kind is fixed with it, other settings are not. */
    public static Change.TopicCreated creation(TopicConfig topic) {
        return new Change.TopicCreated(
                topic.name(), topic.numPartitions(), topic.queue() ? Map.of(Settings.KIND.name(), "queue") : Map.of());
    }

    /** Lets go of what is cached of a topic that is gone. */
    public void forget(String topic) {
        known.remove(topic);
    }

    @Nullable
    Topic topic(String name) {
        return state.topic(name);
    }
}
