package io.metaq.broker.command;

import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.TopicConfig;
import io.metaq.state.BrokerState;
import io.metaq.state.Topic;
import java.util.Map;
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
        return settings(config, known, topic);
    }

    /** As a function for use before there is a catalog: the state needs settings while it recovers. */
    public static TopicConfig settings(BrokerConfig config, Topic topic) {
        return base(config, topic.name()).withAll(topic.settings());
    }

    private static TopicConfig settings(BrokerConfig config, Map<String, Known> known, Topic topic) {
        Known cached = known.get(topic.name());
        // The identity of the map of own settings changes with each change of them.
        if (cached == null || cached.own() != topic.settings()) {
            Map<String, String> own = topic.settings();
            cached = new Known(own, base(config, topic.name()).withAll(own));
            known.put(topic.name(), cached);
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

    /** How many partitions the first message to this topic gives it; 0 if the configuration does not allow that. */
    int partitionsOnDemand(String topic) {
        return config.acceptedTopic(topic).map(TopicConfig::numPartitions).orElse(0);
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
