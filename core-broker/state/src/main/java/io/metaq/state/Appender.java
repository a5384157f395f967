package io.metaq.state;

import io.metaq.log.file.StorageFullException;
import io.metaq.state.record.MessageRecord;
import io.metaq.state.record.MovedRecord;
import io.metaq.state.record.TransactionRecord;
import io.metaq.state.subscription.MessageRanges;
import io.metaq.state.subscription.Subscription;
import io.metaq.state.subscription.Subscriptions;
import io.metaq.state.transaction.Ledger;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Applies the records that carry messages: numbers them, recognises what was sent before, stages them in their partition
 * logs, and shows the whole batch at its end. Writer thread.
 */
final class Appender {
    /** Messages for a temporary topic wait for the end of the batch, with the rest of their record. */
    private record Deferred(Topic topic, ByteBuffer messages, int count, long timestampMs) {
        /** A copy, for longer than the batch lasts. */
        Deferred kept() {
            ByteBuffer copy = ByteBuffer.allocate(messages.remaining());
            return new Deferred(topic, copy.put(messages.duplicate()).flip(), count, timestampMs);
        }
    }

    private final Topics topics;
    private final TemporaryTopics temporary;
    private final Subscriptions subscriptions;
    private final Producers producers;
    private final List<Partition> dirty = new ArrayList<>();
    private final List<Deferred> deferred = new ArrayList<>();
    private final ByteBuffer[] parts = new ByteBuffer[2];
    private final MessageRanges range = new MessageRanges();

    /** What a record appended to, if all of that has to become readable together. */
    private final List<Partition> touched = new ArrayList<>();

    /** Partitions with a place that is not filled yet, or with messages that must not be seen before those. */
    private final Set<Partition> held = new HashSet<>();

    private final List<Deferred> heldDeferred = new ArrayList<>();
    private int deferredBefore;
    private boolean together;
    private volatile boolean unwritten;
    private long nextMessageId;

    Appender(Topics topics, TemporaryTopics temporary, Subscriptions subscriptions, Producers producers) {
        this.topics = topics;
        this.temporary = temporary;
        this.subscriptions = subscriptions;
        this.producers = producers;
    }

    long nextMessageId() {
        return nextMessageId;
    }

    void nextMessageId(long next) {
        nextMessageId = next;
    }

    void messages(@Nullable ByteBuffer body, @Nullable MessagesProposal proposal) throws IOException {
        ByteBuffer messages = body == null ? null : body.duplicate();
        MessageRecord record = messages != null
                ? MessageRecord.read(messages)
                : proposed(proposal).record();
        Partition partition = topics.partition(record.topicId(), record.partition());
        boolean resent = record.producerId() != 0 && producers.isOld(record.producerId(), record.sequence());
        if (partition == null) {
            refuse(proposal, Refusal.UNKNOWN_TOPIC, "the topic was deleted meanwhile");
        } else if (!partition.publishOpen()) {
            refuse(proposal, Refusal.CLOSED, "the partition was closed meanwhile");
        } else if (resent) {
            answerResend(proposal, record);
        } else if (messages != null) {
            parts[0] = messages;
            append(partition, record, 1, proposal);
        } else {
            append(partition, record, proposed(proposal).messages(parts), proposal);
        }
    }

    private static <T> T proposed(@Nullable T proposal) {
        if (proposal == null) {
            throw new IllegalStateException("a record is replayed in one piece, or proposed in parts");
        }
        return proposal;
    }

    private static void refuse(@Nullable MessagesProposal proposal, Refusal reason, String text) {
        if (proposal != null) {
            proposal.refused(reason, text);
        }
    }

    private void answerResend(@Nullable MessagesProposal proposal, MessageRecord record) {
        Producers.Stored first = producers.find(record.producerId(), record.sequence(), record.count());
        if (first == null) {
            Outcome.Refused stale = stale(record.producerId(), record.sequence());
            refuse(proposal, stale.reason(), stale.text());
        } else if (proposal != null) {
            proposal.stored(first.firstId(), first.partition(), first.offset());
        }
    }

    static Outcome.Refused stale(long producerId, long sequence) {
        return new Outcome.Refused(
                Refusal.STALE_SEQUENCE,
                "sequence " + sequence + " of producer " + producerId
                        + " lies before what the broker remembers; give the messages a new sequence if they are new");
    }

    private void append(Partition partition, MessageRecord record, int buffers, @Nullable MessagesProposal proposal)
            throws IOException {
        long firstId = nextMessageId;
        long offset = stage(partition, buffers, record.count(), record.timestampMs());
        if (record.producerId() != 0) {
            producers.stored(
                    record.producerId(),
                    new Producers.Stored(record.sequence(), record.count(), firstId, record.partition(), offset),
                    record.timestampMs());
        }
        if (proposal != null) {
            proposal.stored(firstId, record.partition(), offset);
        }
    }

    /** Numbers and stages what is in {@link #parts}: whole messages in one buffer, or the header and body of one. */
    private long stage(Partition partition, int buffers, int count, long timestampMs) throws IOException {
        ByteBuffer first = parts[0];
        long offset = partition.log().stagedEndOffset();
        if (buffers == 1) {
            int flags = MessageRecord.assignIds(first, nextMessageId);
            Scheduling.index(partition, offset, first, flags);
            topics.largeReferences().index(partition, offset, first, flags);
        } else {
            first.putLong(first.position() + MessageRecord.MESSAGE_ID_AT, nextMessageId);
            int flag = first.getInt(first.position() + MessageRecord.FLAG_AT);
            Scheduling.indexOne(partition, offset, flag, parts[1]);
            topics.largeReferences().indexOne(partition, offset, flag, parts[1]);
        }
        partition.log().append(parts, buffers, count, timestampMs);
        nextMessageId += count;
        changed(partition);
        return offset;
    }

    /** Takes a place for messages, which get their ids. */
    Ledger.Place reserve(Partition target, int count, int bytes, long timestampMs) throws IOException {
        long offset = target.files().reserve(bytes, count, timestampMs);
        Ledger.Place place = new Ledger.Place(target, offset, nextMessageId);
        nextMessageId += count;
        held.add(target);
        changed(target);
        return place;
    }

    /** Brings messages for a place, or a part of one. */
    void fill(Ledger.Place place, ByteBuffer messages) throws IOException {
        int flags = MessageRecord.assignIds(messages, place.firstId());
        Scheduling.index(place.partition(), place.offset(), messages, flags);
        topics.largeReferences().index(place.partition(), place.offset(), messages, flags);
        place.partition().files().fill(place.offset(), messages);
    }

    void fillTemporary(int topicId, ByteBuffer messages, int count, long timestampMs) {
        Topic topic = temporary.topic(topicId);
        if (topic != null) {
            heldDeferred.add(new Deferred(topic, messages, count, timestampMs));
        }
    }

    /** What is put from here to {@link #endTogether} becomes readable at one time. */
    void beginTogether() {
        touched.clear();
        deferredBefore = deferred.size();
        together = true;
    }

    void endTogether() {
        together = false;
        if (held.isEmpty() || touched.stream().noneMatch(held::contains)) {
            return;
        }
        held.addAll(touched);
        List<Deferred> parts = deferred.subList(Math.min(deferredBefore, deferred.size()), deferred.size());
        parts.forEach(part -> heldDeferred.add(part.kept()));
        parts.clear();
    }

    private void changed(Partition partition) {
        if (together) {
            touched.add(partition);
        }
        if (partition.markDirty()) {
            dirty.add(partition);
            topics.written(partition);
        }
    }

    /** Stages messages as they are in the log of a large transaction. */
    void stage(Partition staging, ByteBuffer messages, int count, long timestampMs) throws IOException {
        staging.files().append(messages, count, timestampMs);
        changed(staging);
    }

    /** Writes what was staged, so that it takes no memory; it is not readable before the batch ends. */
    void write() throws IOException {
        for (Partition partition : dirty) {
            try {
                partition.files().write();
            } catch (StorageFullException e) {
                unwritten = true; // kept in memory, and tried again when the batch ends
            }
        }
    }

    void moved(@Nullable ByteBuffer body, @Nullable MovedProposal proposal) throws IOException {
        ByteBuffer messages = body == null ? null : body.duplicate();
        MovedRecord moved = messages != null
                ? MovedRecord.read(messages)
                : proposed(proposal).moved();
        MessageRecord target = messages != null
                ? MessageRecord.read(messages)
                : proposed(proposal).target();
        Subscription source = moved.subscriptionId() == 0 ? null : subscriptions.byId(moved.subscriptionId());
        range.clear();
        range.add(moved.partition(), moved.from(), moved.to(), moved.messages());
        Outcome outcome = checkTarget(target.topicId(), target.partition());
        if (outcome == Outcome.DONE && moved.subscriptionId() != 0) {
            outcome = checkPending(source, range);
        }
        if (outcome == Outcome.DONE) {
            if (source != null) {
                subscriptions.acknowledge(source, range);
            }
            ByteBuffer copies =
                    messages != null ? messages : proposed(proposal).messages().duplicate();
            put(target.topicId(), target.partition(), copies, target.count(), target.timestampMs());
        }
        if (proposal != null) {
            proposal.outcome(outcome);
        }
    }

    void transaction(@Nullable ByteBuffer body, @Nullable TransactionProposal proposal) throws IOException {
        ByteBuffer messages = body == null ? null : body.duplicate();
        TransactionRecord record = messages != null
                ? TransactionRecord.read(messages)
                : proposed(proposal).record();
        Outcome outcome;
        if (record.producerId() != 0 && producers.isOld(record.producerId(), record.sequence())) {
            boolean known = producers.find(record.producerId(), record.sequence(), 1) != null;
            outcome = known ? Outcome.DONE_BEFORE : stale(record.producerId(), record.sequence());
        } else {
            outcome = check(record);
            if (outcome == Outcome.DONE) {
                take(record, messages, proposal);
            }
        }
        if (proposal != null) {
            proposal.outcome(outcome);
        }
    }

    /** Everything is looked at before anything is changed. */
    private Outcome check(TransactionRecord record) {
        for (TransactionRecord.Messages part : record.messages()) {
            Outcome outcome = checkTarget(part.topicId(), part.partition());
            if (outcome != Outcome.DONE) {
                return outcome;
            }
        }
        for (TransactionRecord.Acknowledgements part : record.acknowledged()) {
            Outcome outcome = checkPending(subscriptions.byId(part.subscriptionId()), part.ranges());
            if (outcome != Outcome.DONE) {
                return outcome;
            }
        }
        return Outcome.DONE;
    }

    Outcome checkTarget(int topicId, int partition) {
        if (topicId < 0) {
            return Outcome.DONE; // temporary: see TemporaryTopics
        }
        Partition target = topics.partition(topicId, partition);
        if (target == null) {
            return Outcome.refused(Refusal.UNKNOWN_TOPIC, "a topic that messages were meant for was deleted meanwhile");
        }
        return target.publishOpen()
                ? Outcome.DONE
                : Outcome.refused(Refusal.CLOSED, target.name() + " was closed meanwhile");
    }

    Outcome checkPending(@Nullable Subscription subscription, MessageRanges ranges) {
        if (subscription == null) {
            return Outcome.refused(Refusal.UNKNOWN_SUBSCRIPTION, "a subscription was deleted meanwhile");
        }
        return subscriptions.arePending(subscription, ranges)
                ? Outcome.DONE
                : Outcome.refused(
                        Refusal.NOT_PENDING,
                        "a message of subscription " + subscription.info().name() + " was acknowledged meanwhile");
    }

    private void take(TransactionRecord record, @Nullable ByteBuffer messages, @Nullable TransactionProposal proposal)
            throws IOException {
        long firstId = nextMessageId;
        int at = messages == null ? 0 : messages.position();
        for (int i = 0; i < record.messages().size(); i++) {
            TransactionRecord.Messages part = record.messages().get(i);
            ByteBuffer stored = messages == null
                    ? proposed(proposal).messages(i)
                    : messages.duplicate().limit(at + part.bytes()).position(at);
            at += part.bytes();
            put(part.topicId(), part.partition(), stored, part.count(), record.timestampMs());
        }
        for (TransactionRecord.Acknowledgements part : record.acknowledged()) {
            Subscription subscription = subscriptions.byId(part.subscriptionId());
            if (subscription != null) {
                subscriptions.acknowledge(subscription, part.ranges());
            }
        }
        if (record.producerId() != 0) {
            producers.stored(
                    record.producerId(),
                    new Producers.Stored(record.sequence(), 1, firstId, -1, -1),
                    record.timestampMs());
        }
    }

    void put(int topicId, int partition, ByteBuffer messages, int count, long timestampMs) throws IOException {
        if (topicId < 0) {
            Topic topic = temporary.topic(topicId);
            if (topic != null) {
                deferred.add(new Deferred(topic, messages, count, timestampMs));
            }
            return;
        }
        Partition target = topics.partition(topicId, partition);
        if (target != null) {
            parts[0] = messages;
            stage(target, 1, count, timestampMs);
        }
    }

    /** A topic goes: what was staged for it is not written any more. */
    void forget(Topic topic) {
        for (Partition partition : topic.partitions()) {
            forget(partition);
        }
    }

    /** The same for the log of a transaction. */
    void forget(Partition partition) {
        dirty.remove(partition);
        held.remove(partition);
    }

    /**
     * Writes what the batch appended and lets readers see it: all of it, or, while the disk has no room for a part, nothing. A
     * transaction must not be seen in one partition and not in another. What is held is written, and not seen yet.
     */
    void flush() throws IOException {
        boolean written = true;
        for (Partition partition : dirty) {
            try {
                partition.files().write();
            } catch (StorageFullException e) {
                // The messages are safe in the journal; they become readable when there is room for them here too.
                written = false;
            }
        }
        unwritten = !written;
        if (!written) {
            deferred.replaceAll(Deferred::kept);
            return;
        }
        List<Partition> shown = held.isEmpty() ? dirty : notHeld();
        for (Partition partition : shown) {
            partition.files().publish();
            partition.clean();
        }
        for (Deferred part : deferred) {
            temporary.appendQuietly(part.topic(), part.messages(), part.count(), part.timestampMs());
        }
        // Waiters run only when every partition of the batch shows its messages.
        for (Partition partition : shown) {
            partition.wake();
            topics.trimScheduled(partition);
        }
        for (Deferred part : deferred) {
            part.topic().partitions()[0].wake();
        }
        deferred.clear();
        dirty.retainAll(held);
    }

    private List<Partition> notHeld() {
        List<Partition> shown = new ArrayList<>(dirty);
        shown.removeAll(held);
        return shown;
    }

    /** Every place is filled: nothing is held any more. */
    void show() throws IOException {
        held.clear();
        deferred.addAll(heldDeferred);
        heldDeferred.clear();
        flush();
    }

    /** Something was to be written that is not in the batch, and found no room; {@link #flush} finds out when there is some. */
    void noRoom() {
        unwritten = true;
    }

    boolean unwritten() {
        return unwritten;
    }
}
