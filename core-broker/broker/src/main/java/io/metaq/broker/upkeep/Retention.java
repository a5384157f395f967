package io.metaq.broker.upkeep;

import io.metaq.broker.command.TopicCatalog;
import io.metaq.broker.config.DeletePolicy;
import io.metaq.broker.config.TopicConfig;
import io.metaq.broker.store.Store;
import io.metaq.log.journal.Durability;
import io.metaq.state.Partition;
import io.metaq.state.Topic;
import io.metaq.state.record.Change;
import java.io.IOException;
import java.time.Clock;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trims partition logs by age and size when their topic's schedule says so. What goes is decided here by the clock and
 * then proposed as a record, so that state stays a function of the journal.
 */
public final class Retention {
    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);

    private final Store store;
    private final TopicCatalog topics;
    private final Clock clock;
    private final Map<String, ZonedDateTime> lastLook = new HashMap<>();
    private final ZonedDateTime start;

    public Retention(Store store, TopicCatalog topics, Clock clock) {
        this.store = store;
        this.topics = topics;
        this.clock = clock;
        this.start = ZonedDateTime.now(clock);
    }

    /** Trims what is due. To be called about once a second; topics are looked up anew each time. */
    public void look() {
        ZonedDateTime now = ZonedDateTime.now(clock);
        for (Topic topic : store.state().topics()) {
            TopicConfig settings = topics.settings(topic);
            ZonedDateTime last = lastLook.getOrDefault(topic.name(), start);
            boolean due = settings.deleteWhen()
                    .next(last)
                    .filter(next -> !next.isAfter(now))
                    .isPresent();
            if (due) {
                lastLook.put(topic.name(), now);
                apply(topic, settings);
            }
        }
        lastLook.keySet().removeIf(name -> store.state().topic(name) == null);
    }

    private void apply(Topic topic, TopicConfig settings) {
        DeletePolicy policy = settings.deletePolicy();
        long maxBytes = settings.retentionBytes() == 0 ? -1 : settings.retentionBytes();
        for (Partition partition : topic.partitions()) {
            try {
                long start = partition.log().startOffset();
                long offset = partition
                        .files()
                        .expiredBefore(clock.millis(), policy.age().toMillis(), maxBytes);
                if (offset > start) {
                    propose(topic, partition, offset, disposal(policy));
                }
            } catch (IOException e) {
                LOG.error("retention of {} failed", partition.name(), e);
            }
        }
    }

    private void propose(Topic topic, Partition partition, long offset, Change.Disposal disposal) {
        store.change(
                        new Change.PartitionTrimmed(topic.id(), partition.name().partition(), offset, disposal),
                        Durability.OS)
                .whenComplete((outcome, failure) -> {
                    if (failure == null) {
                        LOG.info("retention: {} begins at {} now ({})", partition.name(), offset, disposal);
                    } else {
                        LOG.warn("retention of {} has to wait: {}", partition.name(), failure.getMessage());
                    }
                });
    }

    private static Change.Disposal disposal(DeletePolicy policy) {
        if (policy.action() == DeletePolicy.Action.DELETE) {
            return Change.Disposal.DELETE;
        }
        return policy.compress() ? Change.Disposal.ARCHIVE_COMPRESSED : Change.Disposal.ARCHIVE;
    }
}
