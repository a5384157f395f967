package io.metaq.state;

import io.metaq.message.HeaderField;
import io.metaq.message.LargePayload;
import io.metaq.message.MalformedPropertiesException;
import io.metaq.message.MessageFlags;
import io.metaq.message.PropertyBlock;
import io.metaq.state.record.MessageRecord;
import io.metaq.state.subscription.Subscriptions;
import io.metaq.state.transaction.Ledger;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Which messages have their payload in chunks of a companion topic, so that the chunks are kept as long as the messages. Added to on
 * the writer thread, asked by any.
 *
 * <p>A message counts as long as its log has it; in a queue, as long as it is at or above the floor: a log is trimmed by whole segments,
 * and small messages would keep their large payloads for far too long.
 */
final class LargeReferences {
    private record Holder(int topicId, int partition) implements Comparable<Holder> {
        @Override
        public int compareTo(Holder other) {
            int byTopic = Integer.compare(topicId, other.topicId);
            return byTopic != 0 ? byTopic : Integer.compare(partition, other.partition);
        }
    }

    /**
     * One message's.
     *
     * @param offset of the message in its own log
     * @param partition of the companion
     * @param firstChunk offset in it from which on chunks are needed
     */
    private record Reference(long offset, int partition, long firstChunk) {}

    /** Where a message has its chunks. */
    private record Place(String companion, int partition, long firstChunk) {}

    private final Topics topics;
    private final Subscriptions subscriptions;
    private final Map<String, Map<Holder, Deque<Reference>>> byCompanion = new TreeMap<>();

    private volatile ToLongBiFunction<String, Integer> waiting = (companion, partition) -> Long.MAX_VALUE;

    LargeReferences(Topics topics, Subscriptions subscriptions) {
        this.topics = topics;
        this.subscriptions = subscriptions;
    }

    /**
     * Notes the references among messages that are being appended.
     *
     * @param offset of the first message
     * @param messages whole stored messages, position to limit; left as it is
     * @param flags all their flags, as one: where no message can have one none is looked at
     */
    void index(Partition partition, long offset, ByteBuffer messages, int flags) {
        if (!MessageFlags.has(flags, MessageFlags.LARGE)) {
            return;
        }
        int first = messages.position();
        int at = first;
        while (at < messages.limit()) {
            int length = messages.getInt(at);
            int body = at + MessageRecord.MESSAGE_HEADER_BYTES;
            indexOne(
                    partition,
                    offset + at - first,
                    messages.getInt(at + MessageRecord.FLAG_AT),
                    messages.slice(body, length));
            at = body + length;
        }
    }

    /** As {@link #index}, for one message. */
    void indexOne(Partition partition, long offset, int flag, ByteBuffer body) {
        Topic topic = topics.byName(partition.name().topic());
        if (topic == null || !MessageFlags.has(flag, MessageFlags.LARGE)) {
            return;
        }
        Place place = place(flag, body);
        // No message can keep the messages of any topic that is no companion.
        if (place != null && topics.byName(place.companion()) != null) {
            add(
                    place.companion(),
                    new Holder(topic.id(), partition.name().partition()),
                    new Reference(offset, place.partition(), place.firstChunk()));
        }
    }

    private static @Nullable Place place(int flag, ByteBuffer body) {
        try {
            PropertyBlock properties = PropertyBlock.ofBody(flag, body);
            String companion = properties == null ? null : properties.headerString(HeaderField.LARGE_TOPIC);
            return properties == null || companion == null || !LargePayload.isCompanion(companion)
                    ? null
                    : new Place(
                            companion,
                            properties.headerInt(HeaderField.LARGE_PARTITION, 0),
                            properties.headerLong(HeaderField.LARGE_OFFSET, 0));
        } catch (MalformedPropertiesException e) {
            return null; // the client wrote nonsense: whoever receives the message will find it damaged
        }
    }

    /** Looks which of some whole messages have their payload in chunks, before they are in a log. */
    static void forEach(ByteBuffer messages, Ledger.LargeVisitor visitor) {
        int at = messages.position();
        while (at < messages.limit()) {
            int length = messages.getInt(at);
            int body = at + MessageRecord.MESSAGE_HEADER_BYTES;
            int flag = messages.getInt(at + MessageRecord.FLAG_AT);
            Place place = MessageFlags.has(flag, MessageFlags.LARGE) ? place(flag, messages.slice(body, length)) : null;
            if (place != null) {
                visitor.large(place.companion(), place.partition(), place.firstChunk());
            }
            at = body + length;
        }
    }

    private synchronized void add(String companion, Holder holder, Reference reference) {
        Deque<Reference> references = byCompanion
                .computeIfAbsent(companion, c -> new TreeMap<>())
                .computeIfAbsent(holder, h -> new ArrayDeque<>());
        trim(references, liveFrom(holder));
        insert(references, reference);
    }

    /** Nearly always at the end: only a large transaction is put into a place that others are behind of already. */
    private static void insert(Deque<Reference> references, Reference reference) {
        Deque<Reference> behind = new ArrayDeque<>(1);
        while (!references.isEmpty() && references.getLast().offset() > reference.offset()) {
            behind.push(references.removeLast());
        }
        references.add(reference);
        references.addAll(behind);
    }

    private static void trim(Deque<Reference> references, long liveFrom) {
        while (!references.isEmpty() && references.getFirst().offset() < liveFrom) {
            references.removeFirst();
        }
    }

    private long liveFrom(Holder holder) {
        Topic topic = topics.byId(holder.topicId());
        Partition partition = topic == null ? null : topic.partition(holder.partition());
        if (topic == null || partition == null) {
            return Long.MAX_VALUE;
        }
        long start = partition.log().startOffset();
        return topic.kind() == Topic.Kind.QUEUE
                ? Math.max(start, subscriptions.floor(topic.id(), holder.partition()))
                : start;
    }

    /** Tells of messages that are in no log yet. */
    void waiting(ToLongBiFunction<String, Integer> floor) {
        waiting = floor;
    }

    /** The offset from which on a partition has chunks that messages need; {@link Long#MAX_VALUE} if there are none. */
    long floor(String topic, int partition) {
        return LargePayload.isCompanion(topic)
                ? Math.min(floorOfCompanion(topic, partition), waiting.applyAsLong(topic, partition))
                : Long.MAX_VALUE;
    }

    private synchronized long floorOfCompanion(String companion, int partition) {
        long lowest = Long.MAX_VALUE;
        for (Map.Entry<Holder, Deque<Reference>> held :
                byCompanion.getOrDefault(companion, Map.of()).entrySet()) {
            long liveFrom = liveFrom(held.getKey());
            for (Reference reference : held.getValue()) {
                if (reference.offset() >= liveFrom && reference.partition() == partition) {
                    lowest = Math.min(lowest, reference.firstChunk());
                }
            }
        }
        return lowest;
    }

    /** A topic is gone; another one of its name has other chunks. */
    synchronized void deleted(String topic) {
        byCompanion.remove(topic);
    }

    /** Lets go of what does not count any more, and writes the rest. */
    synchronized void write(DataOutputStream out) throws IOException {
        byCompanion.values().forEach(holders -> {
            holders.forEach((holder, references) -> trim(references, liveFrom(holder)));
            holders.values().removeIf(Deque::isEmpty);
        });
        byCompanion.values().removeIf(Map::isEmpty);
        out.writeInt(byCompanion.size());
        for (Map.Entry<String, Map<Holder, Deque<Reference>>> companion : byCompanion.entrySet()) {
            out.writeUTF(companion.getKey());
            out.writeInt(companion.getValue().size());
            for (Map.Entry<Holder, Deque<Reference>> held : companion.getValue().entrySet()) {
                out.writeInt(held.getKey().topicId());
                out.writeInt(held.getKey().partition());
                out.writeInt(held.getValue().size());
                for (Reference reference : held.getValue()) {
                    out.writeLong(reference.offset());
                    out.writeInt(reference.partition());
                    out.writeLong(reference.firstChunk());
                }
            }
        }
    }

    synchronized void read(DataInputStream in) throws IOException {
        for (int companions = in.readInt(); companions > 0; companions--) {
            Map<Holder, Deque<Reference>> holders = new TreeMap<>();
            byCompanion.put(in.readUTF(), holders);
            for (int left = in.readInt(); left > 0; left--) {
                Holder holder = new Holder(in.readInt(), in.readInt());
                Deque<Reference> references = new ArrayDeque<>();
                for (int count = in.readInt(); count > 0; count--) {
                    references.add(new Reference(in.readLong(), in.readInt(), in.readLong()));
                }
                holders.put(holder, references);
            }
        }
    }
}
