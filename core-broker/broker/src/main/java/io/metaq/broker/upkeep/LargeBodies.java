package io.metaq.broker.upkeep;

import io.metaq.broker.command.TopicCatalog;
import io.metaq.broker.config.TopicConfig;
import io.metaq.state.BrokerState;
import io.metaq.state.Partition;
import io.metaq.state.Topic;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How long the bodies of large messages are kept, which lie in pieces in a topic beside that of the messages: longer than
 * the delete policy says while a message that may need them is pending, in its topic or in the queue for its dead letters
 * or expired ones. Bodies are stored before their messages, so those of the time before the oldest pending message are not
 * needed.
 */
final class LargeBodies {
    /** Name of the topic with the bodies: that of the messages and this. */
    static final String SUFFIX = ".large";

    /** How long before its message a body may have been begun. */
    private static final long LONGEST_SEND_MS = TimeUnit.HOURS.toMillis(6);

    private final BrokerState state;
    private final TopicCatalog topics;

    LargeBodies(BrokerState state, TopicCatalog topics) {
        this.state = state;
        this.topics = topics;
    }

    /** Offset in a partition from which on everything is kept; {@link Long#MAX_VALUE} for a topic of another kind. */
    long keptFrom(Topic topic, Partition partition) throws IOException {
        if (!topic.name().endsWith(SUFFIX)) {
            return Long.MAX_VALUE;
        }
        String name = topic.name().substring(0, topic.name().length() - SUFFIX.length());
        Topic owner = state.topic(name);
        if (owner == null || owner.temporary()) {
            return Long.MAX_VALUE;
        }
        TopicConfig settings = topics.settings(owner);
        long oldest = oldestPendingMs(owner);
        for (String other : Arrays.asList(settings.deadLetterQueue(), settings.expiryQueue())) {
            oldest = Math.min(oldest, oldestPendingMs(other == null ? null : state.topic(other)));
        }
        return oldest == Long.MAX_VALUE ? oldest : partition.log().offsetForTime(oldest - LONGEST_SEND_MS);
    }

    /** When the oldest message was stored that a journalled subscription has not acknowledged. */
    private long oldestPendingMs(@Nullable Topic topic) throws IOException {
        long oldest = Long.MAX_VALUE;
        if (topic == null || topic.temporary()) {
            return oldest;
        }
        for (Partition partition : topic.partitions()) {
            long floor = state.floor(topic, partition.name().partition());
            if (floor < partition.log().endOffset()) {
                oldest = Math.min(oldest, partition.files().appendTimeMs(floor));
            }
        }
        return oldest;
    }
}
