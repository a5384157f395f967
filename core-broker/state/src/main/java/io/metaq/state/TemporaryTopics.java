package io.metaq.state;

import io.metaq.log.partition.Disposal;
import io.metaq.log.partition.MemoryBudget;
import io.metaq.log.partition.MemoryLog;
import io.metaq.state.record.MessageRecord;
import io.metaq.state.subscription.Start;
import io.metaq.state.subscription.Subscription;
import io.metaq.state.subscription.SubscriptionInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Temporary queues and topics: in memory, in no journal and no checkpoint, each with one partition. Making and deleting one
 * costs a few objects. Any thread.
 *
 * <p>A record of the journal may put messages into one (as a part of a transaction, or a dead letter). Whether that
 * succeeds must not depend on what is not in the journal, so such a record never fails because of a temporary topic: a part
 * for one that is gone is dropped.
 */
public final class TemporaryTopics {
    /** How all names begin. */
    public static final String PREFIX = "temp:";

    private static final String QUEUE_PREFIX = SubscriptionInfo.QUEUE_PREFIX + PREFIX;

    private static final Map<String, String> AS_QUEUE = Map.of(Topic.KIND, "queue");
    private static final Map<String, String> AS_TOPIC = Map.of(Topic.KIND, "topic");

    private final MemoryBudget budget;
    private final AtomicLong nextMessageId;
    private final AtomicInteger lastId = new AtomicInteger();
    private final Map<String, Topic> byName = new ConcurrentHashMap<>();
    private final Map<Integer, Topic> byId = new ConcurrentHashMap<>();

    /**
     * @param firstMessageId where message ids start; they and those of the journal must never meet
     * @param limitBytes how much all temporary topics may hold before messages are refused
     */
    public TemporaryTopics(long firstMessageId, long limitBytes) {
        this.nextMessageId = new AtomicLong(firstMessageId);
        this.budget = new MemoryBudget(limitBytes);
    }

    /** Where messages went. */
    public record Stored(long firstId, long offset) {}

    /** Whether a topic of this name is a temporary one. */
    public static boolean isTemporary(String name) {
        return name.startsWith(PREFIX);
    }

    /**
     * Makes one; a queue with its subscription.
     *
     * @return null when there is one of this name
     */
    public @Nullable Topic create(String name, Topic.Kind kind) {
        if (!isTemporary(name)) {
            throw new IllegalArgumentException("the name of a temporary topic begins with " + PREFIX);
        }
        Topic topic = new Topic(lastId.decrementAndGet(), name, kind == Topic.Kind.QUEUE ? AS_QUEUE : AS_TOPIC);
        try {
            topic.partitions(new Partition[] {new Partition(new PartitionName(name, 0), new MemoryLog(budget))});
            if (kind == Topic.Kind.QUEUE) {
                topic.subscribe(SubscriptionInfo.ofQueue(name, topic.id()), Start.FIRST);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        byId.put(topic.id(), topic);
        if (byName.putIfAbsent(name, topic) != null) {
            byId.remove(topic.id());
            return null;
        }
        return topic;
    }

    public @Nullable Topic topic(String name) {
        return byName.get(name);
    }

    @Nullable
    Topic topic(int id) {
        return byId.get(id);
    }

    /** How many there are. */
    public int count() {
        return byName.size();
    }

    /** Bytes that they hold. */
    public long bytes() {
        return budget.used();
    }

    /** Whether they hold as much as they may: new messages are to be refused until some were consumed. */
    public boolean full() {
        return budget.exhausted();
    }

    /** The subscription of a temporary queue, by its name {@code queue:temp:…}. */
    public @Nullable Subscription subscription(String name) {
        Topic topic =
                name.startsWith(QUEUE_PREFIX) ? topic(name.substring(SubscriptionInfo.QUEUE_PREFIX.length())) : null;
        return topic == null || topic.kind() != Topic.Kind.QUEUE ? null : topic.queueSubscription();
    }

    /** Deletes one with its messages and subscriptions, and wakes who waits on it; false when there is none. */
    public boolean delete(String name) {
        Topic topic = byName.remove(name);
        if (topic == null) {
            return false;
        }
        byId.remove(topic.id());
        topic.end();
        Partition partition = topic.partitions()[0];
        synchronized (partition.log()) {
            ((MemoryLog) partition.log()).close();
        }
        partition.gate(true, true, false);
        return true;
    }

    /**
     * Appends messages, makes them readable and wakes who waits for them, on this thread.
     *
     * @param messages {@code count} whole stored messages, position to limit; numbered in place, copied, not kept
     * @return null when the topic is gone
     */
    public @Nullable Stored append(Topic topic, ByteBuffer messages, int count, long timestampMs) {
        Stored stored = appendQuietly(topic, messages, count, timestampMs);
        if (stored != null) {
            topic.partitions()[0].wake();
        }
        return stored;
    }

    /** As {@link #append}, but wakes nobody. */
    @Nullable
    Stored appendQuietly(Topic topic, ByteBuffer messages, int count, long timestampMs) {
        Partition partition = topic.partitions()[0];
        MemoryLog log = (MemoryLog) partition.log();
        long firstId = nextMessageId.getAndAdd(count);
        int flags = MessageRecord.assignIds(messages, firstId);
        synchronized (log) {
            if (byId.get(topic.id()) != topic) {
                return null;
            }
            int start = messages.position();
            long offset = log.append(new ByteBuffer[] {messages}, 1, count, timestampMs);
            messages.position(start);
            Scheduling.index(partition, offset, messages, flags);
            log.flush();
            if (partition.scheduled().wantsTrim()) {
                trimScheduled(topic, timestampMs);
            }
            if (topic.transients().isEmpty()) {
                log.trimBefore(log.endOffset(), Disposal.DELETE); // nobody will ever read it
            }
            return new Stored(firstId, offset);
        }
    }

    private static void trimScheduled(Topic topic, long nowMs) {
        Partition partition = topic.partitions()[0];
        partition.scheduled().trim(partition.log().startOffset(), Long.MAX_VALUE, topic.transientFloor(0), nowMs);
    }

    /** Frees the memory of what all subscriptions of the topic have acknowledged. To be called after acknowledgements. */
    public void trim(Topic topic) {
        MemoryLog log = (MemoryLog) topic.partitions()[0].log();
        long floor = Math.min(topic.transientFloor(0), log.endOffset());
        if (log.segmentStart(floor) > log.startOffset()) {
            synchronized (log) {
                log.trimBefore(floor, Disposal.DELETE);
            }
        }
    }
}
