package io.metaq.state;

import io.metaq.log.partition.PartitionSnapshot;
import io.metaq.state.subscription.Subscriptions;
import io.metaq.state.transaction.TransactionRules;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;

/** The state as bytes (docs/log-format.md, checkpoint). */
final class Snapshot {
    private static final int FORMAT = 3;

    /** Without transactions. */
    private static final int BEFORE_TRANSACTIONS = 2;

    /** Without subscriptions and what they need. */
    private static final int BEFORE_SUBSCRIPTIONS = 1;

    private Snapshot() {}

    record Header(long position, long nextMessageId) {}

    record Parts(
            Topics topics,
            Groups groups,
            Producers producers,
            Subscriptions subscriptions,
            TransactionRules transactions) {}

    static byte[] write(Header header, Parts parts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(4096);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(FORMAT);
            out.writeLong(header.position());
            out.writeLong(header.nextMessageId());
            out.writeInt(parts.topics().nextId());
            out.writeInt(parts.topics().all().size());
            for (Topic topic : parts.topics().all()) {
                write(out, topic);
            }
            out.writeInt(parts.groups().all().size());
            for (Group group : parts.groups().all()) {
                write(out, group);
            }
            parts.producers().write(out);
            parts.subscriptions().write(out);
            parts.topics().largeReferences().write(out);
            parts.transactions().write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static Header read(byte[] bytes, Parts parts) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int format = in.readInt();
            if (format < BEFORE_SUBSCRIPTIONS || format > FORMAT) {
                throw new IllegalArgumentException("checkpoint of format " + format + ", this broker knows " + FORMAT);
            }
            Header header = new Header(in.readLong(), in.readLong());
            parts.topics().nextId(in.readInt());
            for (int left = in.readInt(); left > 0; left--) {
                readTopic(in, parts.topics(), format);
            }
            for (int left = in.readInt(); left > 0; left--) {
                readGroup(in, parts.groups());
            }
            parts.producers().read(in);
            if (format != BEFORE_SUBSCRIPTIONS) {
                parts.subscriptions().read(in, parts.topics()::logs);
                parts.topics().largeReferences().read(in);
            }
            if (format > BEFORE_TRANSACTIONS) {
                parts.transactions().read(in);
            }
            return header;
        } catch (IOException e) {
            throw new UncheckedIOException("checkpoint ends early", e);
        }
    }

    private static void write(DataOutputStream out, Topic topic) throws IOException {
        out.writeInt(topic.id());
        out.writeUTF(topic.name());
        out.writeInt(topic.settings().size());
        for (Map.Entry<String, String> setting : new TreeMap<>(topic.settings()).entrySet()) {
            out.writeUTF(setting.getKey());
            out.writeUTF(setting.getValue());
        }
        out.writeInt(topic.partitionCount());
        for (Partition partition : topic.partitions()) {
            out.writeBoolean(partition.publishOpen());
            out.writeBoolean(partition.subscribeOpen());
            PartitionSnapshot snapshot = partition.files().snapshot();
            out.writeLong(snapshot.startOffset());
            out.writeLong(snapshot.endOffset());
            out.writeLong(snapshot.messageCount());
            out.writeLong(snapshot.appendedMessages());
            out.writeLong(snapshot.lastAppendMs());
            partition.scheduled().write(out);
        }
    }

    private static void readTopic(DataInputStream in, Topics topics, int format) throws IOException {
        int id = in.readInt();
        String name = in.readUTF();
        Map<String, String> settings = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            settings.put(in.readUTF(), in.readUTF());
        }
        Topic topic = topics.restore(id, name, settings, in.readInt());
        for (Partition partition : topic.partitions()) {
            partition.gate(true, false, in.readBoolean());
            partition.gate(false, true, in.readBoolean());
            partition
                    .files()
                    .restore(new PartitionSnapshot(
                            in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong()));
            if (format != BEFORE_SUBSCRIPTIONS) {
                partition.scheduled().read(in);
            }
        }
    }

    private static void write(DataOutputStream out, Group group) throws IOException {
        out.writeUTF(group.name());
        writePositions(out, group.positions());
        out.writeInt(group.history().size());
        for (Group.Moment moment : group.history()) {
            out.writeLong(moment.timestampMs());
            writePositions(out, moment.positions());
        }
    }

    private static void readGroup(DataInputStream in, Groups groups) throws IOException {
        Group group = groups.create(in.readUTF());
        group.positions().putAll(readPositions(in));
        for (int left = in.readInt(); left > 0; left--) {
            group.restore(new Group.Moment(in.readLong(), readPositions(in)));
        }
    }

    private static void writePositions(DataOutputStream out, Map<PartitionName, Group.Position> positions)
            throws IOException {
        out.writeInt(positions.size());
        for (Map.Entry<PartitionName, Group.Position> entry : positions.entrySet()) {
            out.writeUTF(entry.getKey().topic());
            out.writeInt(entry.getKey().partition());
            out.writeLong(entry.getValue().offset());
            out.writeLong(entry.getValue().messageId());
            out.writeLong(entry.getValue().timestampMs());
        }
    }

    private static Map<PartitionName, Group.Position> readPositions(DataInputStream in) throws IOException {
        Map<PartitionName, Group.Position> positions = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            positions.put(
                    new PartitionName(in.readUTF(), in.readInt()),
                    new Group.Position(in.readLong(), in.readLong(), in.readLong()));
        }
        return positions;
    }
}
