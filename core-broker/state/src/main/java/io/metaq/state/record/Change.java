package io.metaq.state.record;

import io.metaq.state.subscription.Start;
import io.metaq.state.subscription.SubscriptionInfo;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A change of the broker's state other than messages: what an administrative journal record says. */
public sealed interface Change {
    /** The record's type byte. */
    byte type();

    /** Writes the record's body. */
    void write(DataOutputStream out) throws IOException;

    /**
     * The first record of a broker's journal.
     *
     * @param firstMessageId where its message ids start
     */
    record BrokerFounded(long firstMessageId) implements Change {
        @Override
        public byte type() {
            return RecordType.BROKER_FOUNDED;
        }

        @Override
        public void write(DataOutputStream out) throws IOException {
            out.writeLong(firstMessageId);
        }
    }

    /** A topic comes to be, with {@code partitions} empty partitions and its own settings over the configured ones. */
    record TopicCreated(String topic, int partitions, Map<String, String> settings) implements Change {
        @Override
        public byte type() {
            return RecordType.TOPIC_CREATED;
        }

        @Override
        public void write(DataOutputStream out) throws IOException {
            out.writeUTF(topic);
            out.writeInt(partitions);
            writeMap(out, settings);
        }
    }

    /** A topic grows to {@code partitions} (0: as it was) and its settings change; an empty value removes one. */
    record TopicAltered(String topic, int partitions, Map<String, String> settings) implements Change {
        @Override
        public byte type() {
            return RecordType.TOPIC_ALTERED;
        }

        @Override
        public void write(DataOutputStream out) throws IOException {
            out.writeUTF(topic);
            out.writeInt(partitions);
            writeMap(out, settings);
        }
    }

    /** A topic and all it holds goes. */
    record TopicDeleted(String topic) implements Change {
        @Override
        public byte type() {
            return RecordType.TOPIC_DELETED;
        }

        @Override
        public void write(DataOutputStream out) throws IOException {
            out.writeUTF(topic);
        }
    }

    /**
     * Partitions {@code first} to {@code last}, both included, are closed or opened for publishing, subscribing or both.
     */
    record PartitionsGated(String topic, int first, int last, boolean publish, boolean subscribe, boolean open)
            implements Change {
        @Override
        public byte type() {
            return RecordType.PARTITIONS_GATED;
        }

        @Override
        public void write(DataOutputStream out) throws IOException {
            out.writeUTF(topic);
            out.writeInt(first);
            out.writeInt(last);
            out.writeBoolean(publish);
            out.writeBoolean(subscribe);
            out.writeBoolean(open);
        }
    }

    /** A consumer group's position in one partition. */
    record OffsetCommitted(String group, String topic, int partition, long offset, long messageId, long timestampMs)
            implements Change {
        @Override
        public byte type() {
            return RecordType.OFFSET_COMMITTED;
        }

        @Override
        public void write(DataOutputStream out) throws IOException {
            out.writeUTF(group);
            out.writeUTF(topic);
            out.writeInt(partition);
            out.writeLong(offset);
            out.writeLong(messageId);
            out.writeLong(timestampMs);
        }
    }

    /** An operator moves a group: the position of each partition given, in one step. */
    record OffsetsReset(String group, String topic, Map<Integer, Long> offsets, long timestampMs) implements Change {
        @Override
        public byte type() {
            return RecordType.OFFSETS_RESET;
        }

        @Override
        public void write(DataOutputStream out) throws IOException {
            out.writeUTF(group);
            out.writeUTF(topic);
            out.writeLong(timestampMs);
            out.writeInt(offsets.size());
            for (Map.Entry<Integer, Long> entry : offsets.entrySet()) {
                out.writeInt(entry.getKey());
                out.writeLong(entry.getValue());
            }
        }
    }

    /** A group's positions and their history go. */
    record GroupDeleted(String group) implements Change {
        @Override
        public byte type() {
            return RecordType.GROUP_DELETED;
        }

        @Override
        public void write(DataOutputStream out) throws IOException {
            out.writeUTF(group);
        }
    }

    /**
     * Retention: whole segments of a partition before {@code offset} go, or to the archive.
     *
     * @param topicId the topic that was looked at: one of the same name made since keeps its messages
     */
    record PartitionTrimmed(int topicId, int partition, long offset, Disposal disposal) implements Change {
        @Override
        public byte type() {
            return RecordType.PARTITION_TRIMMED;
        }

        @Override
        public void write(DataOutputStream out) throws IOException {
            out.writeInt(topicId);
            out.writeInt(partition);
            out.writeLong(offset);
            out.writeByte(disposal.ordinal());
        }
    }

    /** Producers unseen since {@code beforeMs} are forgotten. */
    record ProducersExpired(long beforeMs) implements Change {
        @Override
        public byte type() {
            return RecordType.PRODUCERS_EXPIRED;
        }

        @Override
        public void write(DataOutputStream out) throws IOException {
            out.writeLong(beforeMs);
        }
    }

    /** A durable subscription comes to be. A queue's own is made with the queue, by no record of its own. */
    record SubscriptionCreated(SubscriptionInfo info, Start start) implements Change {
        @Override
        public byte type() {
            return RecordType.SUBSCRIPTION_CREATED;
        }

        @Override
        public void write(DataOutputStream out) throws IOException {
            info.write(out);
            start.write(out);
        }
    }

    /** A subscription and what it knows goes; not that of a queue, which goes with the queue. */
    record SubscriptionDeleted(String name) implements Change {
        @Override
        public byte type() {
            return RecordType.SUBSCRIPTION_DELETED;
        }

        @Override
        public void write(DataOutputStream out) throws IOException {
            out.writeUTF(name);
        }
    }

    /** A subscription goes on from elsewhere: acknowledgements and delivery counts of the partitions moved are forgotten. */
    record SubscriptionMoved(String name, Start to) implements Change {
        @Override
        public byte type() {
            return RecordType.SUBSCRIPTION_MOVED;
        }

        @Override
        public void write(DataOutputStream out) throws IOException {
            out.writeUTF(name);
            to.write(out);
        }
    }

    /** An operator holds a subscription's deliveries back, or lets them go on. */
    record SubscriptionPaused(String name, boolean paused) implements Change {
        @Override
        public byte type() {
            return RecordType.SUBSCRIPTION_PAUSED;
        }

        @Override
        public void write(DataOutputStream out) throws IOException {
            out.writeUTF(name);
            out.writeBoolean(paused);
        }
    }

    /** All messages that a subscription has not acknowledged are. */
    record SubscriptionPurged(String name) implements Change {
        @Override
        public byte type() {
            return RecordType.SUBSCRIPTION_PURGED;
        }

        @Override
        public void write(DataOutputStream out) throws IOException {
            out.writeUTF(name);
        }
    }

    /** Messages of a subscription came back: the count of each goes up by one. */
    record Returned(int subscriptionId, int partition, List<ReturnedMessage> messages) implements Change {
        public Returned {
            messages = List.copyOf(messages);
        }

        @Override
        public byte type() {
            return RecordType.RETURNED;
        }

        @Override
        public void write(DataOutputStream out) throws IOException {
            out.writeInt(subscriptionId);
            out.writeInt(partition);
            out.writeInt(messages.size());
            for (ReturnedMessage message : messages) {
                out.writeLong(message.offset());
                out.writeLong(message.notBeforeMs());
            }
        }
    }

    /**
     * A message that came back.
     *
     * @param notBeforeMs when it may be delivered again, milliseconds since 1970; 0 = at once
     */
    record ReturnedMessage(long offset, long notBeforeMs) {}

    /**
     * Messages of a subscription before {@code offset} may have been delivered, those from there on have not. Written ahead
     * of the deliveries; lower than before when deliveries have ended in order.
     */
    record DeliveredMark(int subscriptionId, int partition, long offset) implements Change {
        @Override
        public byte type() {
            return RecordType.DELIVERED_MARK;
        }

        @Override
        public void write(DataOutputStream out) throws IOException {
            out.writeInt(subscriptionId);
            out.writeInt(partition);
            out.writeLong(offset);
        }
    }

    /** What becomes of a trimmed segment. The order is the format's. */
    enum Disposal {
        DELETE,
        ARCHIVE,
        ARCHIVE_COMPRESSED
    }

    /** The record's body as bytes. */
    default ByteBuffer encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ByteBuffer.wrap(bytes.toByteArray());
    }

    /**
     * Reads a record's body.
     *
     * @throws IllegalArgumentException for an unknown type or a body that ends early: a journal written by a newer broker
     */
    static Change decode(byte type, ByteBuffer body) {
        byte[] bytes = new byte[body.remaining()];
        body.duplicate().get(bytes);
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            return read(type, in);
        } catch (IOException e) {
            throw new IllegalArgumentException("journal record of type " + type + " cannot be read", e);
        }
    }

    private static Change read(byte type, DataInputStream in) throws IOException {
        return switch (type) {
            case RecordType.BROKER_FOUNDED -> new BrokerFounded(in.readLong());
            case RecordType.TOPIC_CREATED -> new TopicCreated(in.readUTF(), in.readInt(), readMap(in));
            case RecordType.TOPIC_ALTERED -> new TopicAltered(in.readUTF(), in.readInt(), readMap(in));
            case RecordType.TOPIC_DELETED -> new TopicDeleted(in.readUTF());
            case RecordType.PARTITIONS_GATED ->
                new PartitionsGated(
                        in.readUTF(), in.readInt(), in.readInt(), in.readBoolean(), in.readBoolean(), in.readBoolean());
            case RecordType.OFFSET_COMMITTED ->
                new OffsetCommitted(
                        in.readUTF(), in.readUTF(), in.readInt(), in.readLong(), in.readLong(), in.readLong());
            case RecordType.OFFSETS_RESET -> readReset(in);
            case RecordType.GROUP_DELETED -> new GroupDeleted(in.readUTF());
            case RecordType.PARTITION_TRIMMED ->
                new PartitionTrimmed(in.readInt(), in.readInt(), in.readLong(), Disposal.values()[in.readByte()]);
            case RecordType.PRODUCERS_EXPIRED -> new ProducersExpired(in.readLong());
            case RecordType.SUBSCRIPTION_CREATED -> new SubscriptionCreated(SubscriptionInfo.read(in), Start.read(in));
            case RecordType.SUBSCRIPTION_DELETED -> new SubscriptionDeleted(in.readUTF());
            case RecordType.SUBSCRIPTION_MOVED -> new SubscriptionMoved(in.readUTF(), Start.read(in));
            case RecordType.SUBSCRIPTION_PAUSED -> new SubscriptionPaused(in.readUTF(), in.readBoolean());
            case RecordType.SUBSCRIPTION_PURGED -> new SubscriptionPurged(in.readUTF());
            case RecordType.RETURNED -> readReturned(in);
            case RecordType.DELIVERED_MARK -> new DeliveredMark(in.readInt(), in.readInt(), in.readLong());
            default -> throw new IllegalArgumentException("unknown journal record type " + type);
        };
    }

    private static Returned readReturned(DataInputStream in) throws IOException {
        int subscriptionId = in.readInt();
        int partition = in.readInt();
        List<ReturnedMessage> messages = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            messages.add(new ReturnedMessage(in.readLong(), in.readLong()));
        }
        return new Returned(subscriptionId, partition, messages);
    }

    private static OffsetsReset readReset(DataInputStream in) throws IOException {
        String group = in.readUTF();
        String topic = in.readUTF();
        long timestampMs = in.readLong();
        Map<Integer, Long> offsets = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            offsets.put(in.readInt(), in.readLong());
        }
        return new OffsetsReset(group, topic, offsets, timestampMs);
    }

    private static void writeMap(DataOutputStream out, Map<String, String> map) throws IOException {
        out.writeInt(map.size());
        for (Map.Entry<String, String> entry : new TreeMap<>(map).entrySet()) {
            out.writeUTF(entry.getKey());
            out.writeUTF(entry.getValue());
        }
    }

    private static Map<String, String> readMap(DataInputStream in) throws IOException {
        Map<String, String> map = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            map.put(in.readUTF(), in.readUTF());
        }
        return map;
    }
}
