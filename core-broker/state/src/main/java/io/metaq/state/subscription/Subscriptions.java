package io.metaq.state.subscription;

import io.metaq.log.partition.MessageLog;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** The journalled subscriptions, by name, number and topic. Changed by records, on the journal's writer thread. */
public final class Subscriptions {
    private final Map<String, Subscription> byName = new ConcurrentSkipListMap<>();
    private final Map<Integer, Subscription> byId = new ConcurrentHashMap<>();
    private final Map<Integer, List<Subscription>> byTopic = new ConcurrentHashMap<>();
    private int nextId = 1;

    /** Finds the partition logs of a topic that a checkpoint names. */
    @FunctionalInterface
    public interface Logs {
        MessageLog[] ofTopic(int topicId);
    }

    public @Nullable Subscription byName(String name) {
        return byName.get(name);
    }

    public @Nullable Subscription byId(int id) {
        return byId.get(id);
    }

    /** All of them, by name; a live view. */
    public Collection<Subscription> all() {
        return Collections.unmodifiableCollection(byName.values());
    }

    /** Those of a topic. */
    public List<Subscription> ofTopic(int topicId) {
        return byTopic.getOrDefault(topicId, List.of());
    }

    /** The lowest floor of a topic's subscriptions in one partition; {@link Long#MAX_VALUE} when there are none. */
    public long floor(int topicId, int partition) {
        long lowest = Long.MAX_VALUE;
        for (Subscription subscription : ofTopic(topicId)) {
            if (partition < subscription.partitionCount()) {
                lowest = Math.min(lowest, subscription.cursor(partition).floor());
            }
        }
        return lowest;
    }

    /** Makes one; its name must be free. */
    public Subscription create(SubscriptionInfo info, MessageLog[] logs, Start start) throws IOException {
        Subscription made = new Subscription(nextId++, info);
        for (MessageLog log : logs) {
            made.grow(log, start);
        }
        add(made);
        return made;
    }

    private void add(Subscription made) {
        byName.put(made.info().name(), made);
        byId.put(made.id(), made);
        List<Subscription> more = new ArrayList<>(ofTopic(made.info().topicId()));
        more.add(made);
        byTopic.put(made.info().topicId(), List.copyOf(more));
    }

    public void delete(Subscription subscription) {
        byName.remove(subscription.info().name());
        byId.remove(subscription.id());
        int topicId = subscription.info().topicId();
        List<Subscription> fewer = new ArrayList<>(ofTopic(topicId));
        fewer.remove(subscription);
        if (fewer.isEmpty()) {
            byTopic.remove(topicId);
        } else {
            byTopic.put(topicId, List.copyOf(fewer));
        }
        subscription.end();
    }

    /** A topic has a further partition: all of it is new to its subscriptions. */
    public void grow(int topicId, MessageLog log) throws IOException {
        for (Subscription subscription : ofTopic(topicId)) {
            subscription.grow(log, Start.FIRST);
        }
    }

    public void move(Subscription subscription, Start to) throws IOException {
        subscription.move(to);
    }

    public void pause(Subscription subscription, boolean paused) {
        subscription.pause(paused);
    }

    /**
     * Acknowledges what is pending of these ranges; what lies outside the log, or in a partition that the topic has not,
     * is left out.
     *
     * @return how many messages were pending
     */
    public long acknowledge(Subscription subscription, MessageRanges ranges) throws IOException {
        long acknowledged = 0;
        for (int i = 0; i < ranges.size(); i++) {
            if (ranges.partition(i) >= 0 && ranges.partition(i) < subscription.partitionCount()) {
                Cursor cursor = subscription.cursor(ranges.partition(i));
                acknowledged += cursor.acknowledged(
                        ranges.from(i),
                        ranges.to(i),
                        ranges.messages(i),
                        cursor.log().stagedEndOffset());
                cursor.recount();
            }
        }
        return acknowledged;
    }

    /** Takes messages for a transaction: until {@link #unlock} they are neither pending nor acknowledged. */
    public void lock(Subscription subscription, MessageRanges ranges) {
        for (int i = 0; i < ranges.size(); i++) {
            subscription.cursor(ranges.partition(i)).lock(ranges.from(i), ranges.to(i));
        }
    }

    /** What was locked is pending again; to be acknowledged or given back at once. */
    public void unlock(Subscription subscription, MessageRanges ranges) {
        for (int i = 0; i < ranges.size(); i++) {
            subscription.cursor(ranges.partition(i)).unlock(ranges.from(i), ranges.to(i));
        }
    }

    /**
     * All messages of these ranges came back once more, which must be readable. What cannot be read counts as one message
     * until the next that can.
     */
    public void returned(Subscription subscription, MessageRanges ranges) throws IOException {
        for (int i = 0; i < ranges.size(); i++) {
            Cursor cursor = subscription.cursor(ranges.partition(i));
            long from = Math.max(ranges.from(i), cursor.floor());
            if (from < ranges.to(i) && ranges.messages(i) == 1) {
                cursor.cameBack(from, 0);
            } else if (from < ranges.to(i)) {
                MessageStarts.forEach(cursor.log(), from, ranges.to(i), offset -> cursor.cameBack(offset, 0));
            }
        }
    }

    /** Whether all messages of these ranges are there and none is acknowledged or locked. */
    public boolean arePending(Subscription subscription, MessageRanges ranges) {
        for (int i = 0; i < ranges.size(); i++) {
            int partition = ranges.partition(i);
            if (partition < 0
                    || partition >= subscription.partitionCount()
                    || ranges.to(i) > subscription.cursor(partition).log().stagedEndOffset()
                    || !subscription.cursor(partition).isPending(ranges.from(i), ranges.to(i))) {
                return false;
            }
        }
        return true;
    }

    /** A message came back once more; nothing if it was acknowledged meanwhile. */
    public void returned(Subscription subscription, int partition, long offset, long notBeforeMs) {
        if (partition >= 0
                && partition < subscription.partitionCount()
                && offset < subscription.cursor(partition).log().stagedEndOffset()) {
            subscription.cursor(partition).cameBack(offset, notBeforeMs);
        }
    }

    public void mark(Subscription subscription, int partition, long offset) {
        if (partition >= 0 && partition < subscription.partitionCount()) {
            subscription.cursor(partition).mark(offset);
        }
    }

    /** The journal has been replayed: what was marked as delivered so far was so in an earlier life of the broker. */
    public void recovered() {
        for (Subscription subscription : byName.values()) {
            for (int i = 0; i < subscription.partitionCount(); i++) {
                subscription.cursor(i).recovered();
            }
        }
    }

    /** Writes all of them (docs/log-format.md, checkpoint). */
    public void write(DataOutputStream out) throws IOException {
        out.writeInt(nextId);
        out.writeInt(byName.size());
        for (Subscription subscription : byName.values()) {
            out.writeInt(subscription.id());
            subscription.info().write(out);
            out.writeBoolean(subscription.paused());
            out.writeInt(subscription.partitionCount());
            for (int i = 0; i < subscription.partitionCount(); i++) {
                CursorFormat.write(out, subscription.cursor(i));
            }
        }
    }

    /** Reads what {@link #write} wrote, into an empty registry. */
    public void read(DataInputStream in, Logs logs) throws IOException {
        nextId = in.readInt();
        for (int left = in.readInt(); left > 0; left--) {
            Subscription read = new Subscription(in.readInt(), SubscriptionInfo.read(in));
            read.pause(in.readBoolean());
            MessageLog[] partitions = logs.ofTopic(read.info().topicId());
            int cursors = in.readInt();
            for (int i = 0; i < cursors; i++) {
                CursorFormat.read(in, read.grow(partitions[i], Start.FIRST));
            }
            add(read);
        }
    }
}
