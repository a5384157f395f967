package io.metaq.state;

import io.metaq.log.partition.Disposal;
import io.metaq.log.partition.MessageLog;
import io.metaq.log.partition.OpenFiles;
import io.metaq.log.partition.PartitionLog;
import io.metaq.log.partition.PartitionLogConfig;
import io.metaq.log.partition.PartitionSnapshot;
import io.metaq.state.record.Change;
import io.metaq.state.subscription.Subscriptions;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** The topics, by name and by number. Changed on the writer thread. */
final class Topics {
    private final Path partitionsDir;
    private final OpenFiles files;
    private final BrokerState.SegmentBytes segmentBytes;
    private final Subscriptions subscriptions;
    private final LargeReferences largeReferences;
    private final Map<String, Topic> byName = new ConcurrentSkipListMap<>();
    private final Map<Integer, Topic> byId = new ConcurrentHashMap<>();
    private final Set<Partition> unsynced = new LinkedHashSet<>();
    private final List<Path> deletedFolders = new ArrayList<>();
    private int nextId = 1;

    Topics(Path partitionsDir, OpenFiles files, BrokerState.SegmentBytes segmentBytes, Subscriptions subscriptions) {
        this.subscriptions = subscriptions;
        this.largeReferences = new LargeReferences(this, subscriptions);
        this.partitionsDir = partitionsDir;
        this.files = files;
        this.segmentBytes = segmentBytes;
    }

    /** The messages whose payloads are in other topics. */
    LargeReferences largeReferences() {
        return largeReferences;
    }

    @Nullable
    Topic byName(String name) {
        return byName.get(name);
    }

    @Nullable
    Topic byId(int id) {
        return byId.get(id);
    }

    boolean has(String name, int partition) {
        Topic topic = byName.get(name);
        return topic != null && topic.partition(partition) != null;
    }

    @Nullable
    Partition partition(int topicId, int partition) {
        Topic topic = byId.get(topicId);
        return topic == null ? null : topic.partition(partition);
    }

    /** The partition logs of a topic that is there. */
    MessageLog[] logs(int topicId) {
        return Objects.requireNonNull(byId.get(topicId)).logs();
    }

    Collection<Topic> all() {
        return byName.values();
    }

    int nextId() {
        return nextId;
    }

    Outcome create(Change.TopicCreated created) throws IOException {
        if (byName.containsKey(created.topic())) {
            return Outcome.refused(Refusal.EXISTS, "topic " + created.topic() + " exists already");
        }
        if (created.partitions() < 1) {
            return Outcome.refused(Refusal.INVALID, "a topic has at least one partition");
        }
        Topic topic = new Topic(nextId++, created.topic(), created.settings());
        grow(topic, created.partitions());
        add(topic);
        return Outcome.DONE;
    }

    private void add(Topic topic) {
        byId.put(topic.id(), topic);
        byName.put(topic.name(), topic);
    }

    Outcome alter(Change.TopicAltered altered) throws IOException {
        Topic topic = byName.get(altered.topic());
        if (topic == null) {
            return unknown(altered.topic());
        }
        if (altered.partitions() != 0 && altered.partitions() < topic.partitionCount()) {
            return Outcome.refused(
                    Refusal.INVALID,
                    "topic " + altered.topic() + " has " + topic.partitionCount()
                            + " partitions: they can grow, not shrink, since offsets live in them");
        }
        Map<String, String> settings = new TreeMap<>(topic.settings());
        settings.putAll(altered.settings());
        settings.values().removeIf(String::isEmpty);
        if (Topic.kind(settings) != topic.kind()) {
            return Outcome.refused(Refusal.INVALID, "whether a topic is a queue is settled when it is made");
        }
        grow(topic, Math.max(altered.partitions(), topic.partitionCount()));
        topic.settings(settings);
        for (Partition partition : topic.partitions()) {
            partition.files().configure(PartitionLogConfig.ofSegmentBytes(segmentBytes.of(topic)));
        }
        return Outcome.DONE;
    }

    private void grow(Topic topic, int count) throws IOException {
        Partition[] grown = Arrays.copyOf(topic.partitions(), count);
        for (int i = topic.partitionCount(); i < count; i++) {
            PartitionLog log = open(topic, i);
            // Files that are there already were written after the last checkpoint: the journal brings them again.
            log.restore(PartitionSnapshot.EMPTY);
            grown[i] = new Partition(new PartitionName(topic.name(), i), log);
        }
        topic.partitions(grown);
    }

    private PartitionLog open(Topic topic, int partition) throws IOException {
        return PartitionLog.open(
                folder(topic).resolve(Integer.toString(partition)),
                PartitionLogConfig.ofSegmentBytes(segmentBytes.of(topic)),
                files);
    }

    /** The number in the name keeps a topic apart from a deleted one of the same name whose files are still there. */
    private Path folder(Topic topic) {
        return partitionsDir.resolve(
                URLEncoder.encode(topic.name(), StandardCharsets.UTF_8).replace("*", "%2A") + "-" + topic.id());
    }

    Outcome delete(Topic topic) throws IOException {
        byName.remove(topic.name());
        byId.remove(topic.id());
        topic.end();
        for (Partition partition : topic.partitions()) {
            unsynced.remove(partition);
            partition.gate(true, true, false);
            partition.log().close();
        }
        deletedFolders.add(folder(topic));
        largeReferences.deleted(topic.name());
        return Outcome.DONE;
    }

    /** A log that belongs to no topic goes. */
    void drop(Partition partition, Path folder) throws IOException {
        unsynced.remove(partition);
        partition.log().close();
        deletedFolders.add(folder);
    }

    Outcome gate(Change.PartitionsGated gated) {
        Topic topic = byName.get(gated.topic());
        if (topic == null) {
            return unknown(gated.topic());
        }
        if (gated.first() < 0 || gated.last() >= topic.partitionCount() || gated.first() > gated.last()) {
            return Outcome.refused(
                    Refusal.UNKNOWN_PARTITION,
                    "topic " + gated.topic() + " has partitions 0 to " + (topic.partitionCount() - 1));
        }
        for (int i = gated.first(); i <= gated.last(); i++) {
            topic.partitions()[i].gate(gated.publish(), gated.subscribe(), gated.open());
        }
        return Outcome.DONE;
    }

    /** No message goes that a journalled subscription has not acknowledged, and no chunk that a message needs, whoever asks for it. */
    Outcome trim(Change.PartitionTrimmed trimmed) throws IOException {
        Topic topic = byId.get(trimmed.topicId());
        Partition partition = topic == null ? null : topic.partition(trimmed.partition());
        if (topic == null || partition == null) {
            return Outcome.refused(Refusal.UNKNOWN_TOPIC, "the topic was deleted meanwhile");
        }
        long floor = floor(topic, trimmed.partition());
        partition.log().trimBefore(Math.min(trimmed.offset(), floor), disposal(trimmed.disposal()));
        return Outcome.DONE;
    }

    /** Up to where nobody needs the partition any more. */
    long floor(Topic topic, int partition) {
        return Math.min(subscriptions.floor(topic.id(), partition), largeReferences.floor(topic.name(), partition));
    }

    private static Disposal disposal(Change.Disposal disposal) {
        return switch (disposal) {
            case DELETE -> Disposal.DELETE;
            case ARCHIVE -> Disposal.ARCHIVE;
            case ARCHIVE_COMPRESSED -> Disposal.ARCHIVE_COMPRESSED;
        };
    }

    static Outcome unknown(String topic) {
        return Outcome.refused(Refusal.UNKNOWN_TOPIC, "there is no topic " + topic);
    }

    void written(Partition partition) {
        unsynced.add(partition);
    }

    /** Lets the index of a partition that was appended to go of what nobody needs, now and then. */
    void trimScheduled(Partition partition) {
        if (partition.scheduled().wantsTrim()) {
            Topic topic = byName.get(partition.name().topic());
            if (topic != null) {
                trimScheduled(topic, partition);
            }
        }
    }

    /**
     * The same for all partitions, in any case. Called before a subscription may move back, so that what a checkpoint has
     * follows from the journal and not from when the last trim was.
     */
    void trimScheduledNow(Topic topic) {
        for (Partition partition : topic.partitions()) {
            trimScheduled(topic, partition);
        }
    }

    private void trimScheduled(Topic topic, Partition partition) {
        int index = partition.name().partition();
        partition
                .scheduled()
                .trim(
                        partition.log().startOffset(),
                        subscriptions.floor(topic.id(), index),
                        topic.transientFloor(index),
                        partition.log().lastAppendMs());
    }

    List<Partition> takeUnsynced() {
        List<Partition> taken = List.copyOf(unsynced);
        unsynced.clear();
        return taken;
    }

    List<Path> takeDeletedFolders() {
        List<Path> taken = List.copyOf(deletedFolders);
        deletedFolders.clear();
        return taken;
    }

    /** A topic as a snapshot knew it. */
    Topic restore(int id, String name, Map<String, String> settings, int partitions) throws IOException {
        Topic topic = new Topic(id, name, settings);
        Partition[] all = new Partition[partitions];
        for (int i = 0; i < partitions; i++) {
            all[i] = new Partition(new PartitionName(name, i), open(topic, i));
        }
        topic.partitions(all);
        add(topic);
        return topic;
    }

    void nextId(int next) {
        nextId = next;
    }

    void close() throws IOException {
        for (Topic topic : byName.values()) {
            for (Partition partition : topic.partitions()) {
                partition.log().close();
            }
        }
    }
}
