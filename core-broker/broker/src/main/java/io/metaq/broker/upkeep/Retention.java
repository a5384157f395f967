package io.metaq.broker.upkeep;

import io.metaq.broker.command.TopicCatalog;
import io.metaq.broker.config.DeletePolicy;
import io.metaq.broker.config.TopicConfig;
import io.metaq.broker.store.Store;
import io.metaq.log.journal.Durability;
import io.metaq.log.partition.MessageLog;
import io.metaq.state.Outcome;
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
import org.slf4j.event.Level;

/**
 * Trims partition logs: those of topics by age and size when the topic's schedule says so, those of queues as far as
 * everything is acknowledged. No message goes that a journalled subscription has not acknowledged. What goes is decided
 * here and then proposed as a record, so that state stays a function of the journal.
 */
public final class Retention {
    /** A queue's newest file goes too, once all in it is acknowledged and it is worth the work. */
    private static final long WORTH_TRIMMING_BYTES = 16L << 20;

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
            if (topic.kind() == Topic.Kind.QUEUE && !settings.retainAcknowledged()) {
                trimQueue(topic, settings);
            } else if (due(topic, settings, now)) {
                lastLook.put(topic.name(), now);
                apply(topic, settings);
            }
        }
        lastLook.keySet().removeIf(name -> store.state().topic(name) == null);
    }

    private boolean due(Topic topic, TopicConfig settings, ZonedDateTime now) {
        ZonedDateTime last = lastLook.getOrDefault(topic.name(), start);
        return settings.deleteWhen()
                .next(last)
                .filter(next -> !next.isAfter(now))
                .isPresent();
    }

    /** Looks at a few numbers in memory only: there may be ten thousand queues. */
    private void trimQueue(Topic topic, TopicConfig settings) {
        for (Partition partition : topic.partitions()) {
            MessageLog log = partition.log();
            long floor = store.state().floor(topic, partition.name().partition());
            long end = log.endOffset();
            if (floor > log.startOffset()) {
                long newest = end == log.startOffset() ? end : log.segmentStart(end - 1);
                boolean all = floor >= end && end - newest >= WORTH_TRIMMING_BYTES;
                trim(topic, partition, all ? end : Math.min(newest, log.segmentStart(floor)), settings);
            }
        }
    }

    private void apply(Topic topic, TopicConfig settings) {
        DeletePolicy policy = settings.deletePolicy();
        long maxBytes = settings.retentionBytes() == 0 ? -1 : settings.retentionBytes();
        for (Partition partition : topic.partitions()) {
            try {
                long expired = partition
                        .files()
                        .expiredBefore(clock.millis(), policy.age().toMillis(), maxBytes);
                long floor = store.state().floor(topic, partition.name().partition());
                trim(topic, partition, partition.log().segmentStart(Math.min(expired, floor)), settings);
            } catch (IOException e) {
                LOG.error("retention of {} failed", partition.name(), e);
            }
        }
    }

    private void trim(Topic topic, Partition partition, long offset, TopicConfig settings) {
        if (offset <= partition.log().startOffset()) {
            return;
        }
        Change.Disposal disposal = disposal(settings.deletePolicy());
        store.change(
                        new Change.PartitionTrimmed(topic.id(), partition.name().partition(), offset, disposal),
                        Durability.OS)
                .whenComplete((outcome, failure) -> {
                    if (failure != null) {
                        LOG.warn("retention of {} has to wait: {}", partition.name(), failure.getMessage());
                    } else if (outcome instanceof Outcome.Refused refused) {
                        LOG.debug("retention of {}: {}", partition.name(), refused.text());
                    } else {
                        // A busy queue has its files trimmed all the time.
                        LOG.atLevel(topic.kind() == Topic.Kind.QUEUE ? Level.DEBUG : Level.INFO)
                                .log(
                                        "retention: {} begins at {} now ({})",
                                        partition.name(),
                                        partition.log().startOffset(),
                                        disposal);
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
