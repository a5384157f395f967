package io.metaq.state.record;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
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
            default -> throw new IllegalArgumentException("unknown journal record type " + type);
        };
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
