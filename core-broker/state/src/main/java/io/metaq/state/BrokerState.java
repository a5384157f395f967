package io.metaq.state;

import io.metaq.log.file.StorageFullException;
import io.metaq.log.journal.Proposal;
import io.metaq.log.journal.StateMachine;
import io.metaq.log.partition.OpenFiles;
import io.metaq.state.record.Change;
import io.metaq.state.record.MessageRecord;
import io.metaq.state.record.RecordType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the broker knows, as a function of its journal. Records are applied in journal order on the writer thread; what
 * they change may be read from any thread. Messages of a batch become readable together, at the batch's end.
 */
public final class BrokerState implements StateMachine {
    private final Topics topics;
    private final Groups groups = new Groups();
    private final Producers producers = new Producers();
    private final List<Partition> dirty = new ArrayList<>();
    private final ByteBuffer[] parts = new ByteBuffer[2];
    private volatile Consumer<Change> observer = change -> {};
    private volatile Runnable answered = () -> {};

    private volatile boolean unwritten;
    private long nextMessageId;
    private long appliedPosition;

    /**
     * @param partitionsDir where the partition logs are
     * @param segmentBytes how large a segment of a topic's partition logs becomes before the next is begun
     */
    public BrokerState(Path partitionsDir, OpenFiles files, SegmentBytes segmentBytes) {
        this.topics = new Topics(partitionsDir, files, segmentBytes);
    }

    /** How large the segments of a topic's partition logs are to be, in bytes. */
    @FunctionalInterface
    public interface SegmentBytes {
        int of(Topic topic);
    }

    /** Tells {@code observer} of every change that took effect, on the writer thread. */
    public void observe(Consumer<Change> observer) {
        this.observer = observer;
    }

    /** Runs {@code answered} after the proposals of each batch have been completed, on the writer thread. */
    public void whenAnswered(Runnable answered) {
        this.answered = answered;
    }

    public @Nullable Topic topic(String name) {
        return topics.byName(name);
    }

    /** All topics, by name; a live view. */
    public Collection<Topic> topics() {
        return Collections.unmodifiableCollection(topics.all());
    }

    public @Nullable Partition partition(String topic, int partition) {
        Topic found = topics.byName(topic);
        return found == null ? null : found.partition(partition);
    }

    public @Nullable Group group(String name) {
        return groups.byName(name);
    }

    /** All groups that have a position, by name; a live view. */
    public Collection<Group> groups() {
        return Collections.unmodifiableCollection(groups.all());
    }

    /** End of the last record applied. Writer thread, or a stopped broker. */
    public long appliedPosition() {
        return appliedPosition;
    }

    /** Whether the journal's first record has been applied: message ids have a start. */
    public boolean founded() {
        return nextMessageId != 0;
    }

    @Override
    public void apply(long position, int epoch, byte type, @Nullable ByteBuffer body, @Nullable Proposal proposal)
            throws IOException {
        if (type == RecordType.MESSAGES) {
            applyMessages(body, (MessagesProposal) proposal);
            return;
        }
        Change change = Change.decode(type, required(body));
        Outcome outcome = applyChange(change);
        if (outcome instanceof Outcome.Done) {
            observer.accept(change);
        }
        if (proposal instanceof ChangeProposal asked) {
            asked.outcome(outcome);
        }
    }

    private static ByteBuffer required(@Nullable ByteBuffer body) {
        if (body == null) {
            throw new IllegalStateException("journal record without a body in one piece");
        }
        return body;
    }

    private void applyMessages(@Nullable ByteBuffer body, @Nullable MessagesProposal proposal) throws IOException {
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
            MessageRecord.assignIds(messages, nextMessageId);
            parts[0] = messages;
            append(partition, record, 1, proposal);
        } else {
            append(partition, record, proposed(proposal).messages(nextMessageId, parts), proposal);
        }
    }

    private static MessagesProposal proposed(@Nullable MessagesProposal proposal) {
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
            refuse(
                    proposal,
                    Refusal.STALE_SEQUENCE,
                    "sequence " + record.sequence() + " of producer " + record.producerId()
                            + " lies before what the broker remembers; give the messages a new sequence if they are new");
        } else if (proposal != null) {
            proposal.stored(first.firstId(), first.partition(), first.offset());
        }
    }

    private void append(Partition partition, MessageRecord record, int buffers, @Nullable MessagesProposal proposal)
            throws IOException {
        long offset = partition.log().append(parts, buffers, record.count(), record.timestampMs());
        long firstId = nextMessageId;
        nextMessageId += record.count();
        if (partition.markDirty()) {
            dirty.add(partition);
            topics.written(partition);
        }
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

    private Outcome applyChange(Change change) throws IOException {
        if (change instanceof Change.BrokerFounded founded) {
            nextMessageId = founded.firstMessageId();
            return Outcome.DONE;
        } else if (change instanceof Change.TopicCreated created) {
            return topics.create(created);
        } else if (change instanceof Change.TopicAltered altered) {
            return topics.alter(altered);
        } else if (change instanceof Change.TopicDeleted deleted) {
            Outcome outcome = topics.delete(deleted.topic(), dirty);
            if (outcome instanceof Outcome.Done) {
                groups.forgetTopic(deleted.topic());
            }
            return outcome;
        } else if (change instanceof Change.PartitionsGated gated) {
            return topics.gate(gated);
        } else if (change instanceof Change.OffsetCommitted committed) {
            return partition(committed.topic(), committed.partition()) == null
                    ? unknownTopic(committed.topic())
                    : groups.commit(committed);
        } else if (change instanceof Change.OffsetsReset reset) {
            return topic(reset.topic()) == null ? unknownTopic(reset.topic()) : groups.reset(reset);
        } else if (change instanceof Change.GroupDeleted deleted) {
            return groups.delete(deleted.group());
        } else if (change instanceof Change.PartitionTrimmed trimmed) {
            flush();
            return topics.trim(trimmed);
        } else if (change instanceof Change.ProducersExpired expired) {
            producers.expire(expired.beforeMs());
            return Outcome.DONE;
        }
        throw new IllegalStateException("no rule for " + change);
    }

    /** A position in a topic that is gone must not wait for the next one of that name. */
    private static Outcome unknownTopic(String name) {
        return Outcome.refused(Refusal.UNKNOWN_TOPIC, "there is no such partition of topic " + name);
    }

    @Override
    public void endOfBatch(long position) throws IOException {
        appliedPosition = position;
        flush();
    }

    @Override
    public void batchAnswered() {
        answered.run();
    }

    /** Writes what the batch appended and lets readers see it. */
    private void flush() throws IOException {
        List<Partition> waiting = List.of();
        for (Partition partition : dirty) {
            try {
                partition.log().flush();
                partition.clean();
            } catch (StorageFullException e) {
                // The messages are safe in the journal; they become readable when there is room for them here too.
                waiting = waiting.isEmpty() ? new ArrayList<>() : waiting;
                waiting.add(partition);
            }
        }
        // Waiters run only when every partition of the batch shows its messages.
        for (Partition partition : dirty) {
            partition.wake();
        }
        dirty.clear();
        dirty.addAll(waiting);
        unwritten = !waiting.isEmpty();
    }

    /**
     * Whether the disk had no room for messages that the journal has taken: they wait in memory, and new ones must be
     * refused until {@link #retryFlush} has written them. Any thread.
     */
    public boolean unwritten() {
        return unwritten;
    }

    /** Tries again to write what waits for room. Writer thread, between batches. */
    public void retryFlush() throws IOException {
        flush();
    }

    /** The whole state as bytes, with the position it belongs to. Writer thread, between batches. */
    public byte[] snapshot() throws IOException {
        return Snapshot.write(appliedPosition, nextMessageId, topics, groups, producers);
    }

    /**
     * Becomes what {@link #snapshot} wrote; cuts partition logs back to it. On an empty state only.
     *
     * @return the journal position from which to replay
     * @throws IllegalArgumentException if the bytes are of a newer format
     */
    public long restore(byte[] snapshot) throws IOException {
        Snapshot.Header header = Snapshot.read(snapshot, topics, groups, producers);
        nextMessageId = header.nextMessageId();
        appliedPosition = header.position();
        return header.position();
    }

    /** Partition logs written since they were last synced: to be synced before a snapshot counts. Writer thread. */
    public List<Partition> takeUnsynced() {
        return topics.takeUnsynced();
    }

    /** Folders of deleted topics, to be removed once a checkpoint without them is on disk. Writer thread. */
    public List<Path> takeDeletedFolders() {
        return topics.takeDeletedFolders();
    }

    /** Closes the partition logs' files. A stopped broker. */
    public void close() throws IOException {
        topics.close();
    }
}
