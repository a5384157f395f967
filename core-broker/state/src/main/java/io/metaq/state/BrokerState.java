package io.metaq.state;

import io.metaq.log.file.StorageFullException;
import io.metaq.log.journal.Proposal;
import io.metaq.log.journal.StateMachine;
import io.metaq.log.partition.OpenFiles;
import io.metaq.state.record.Acknowledged;
import io.metaq.state.record.Change;
import io.metaq.state.record.EnlistedRecord;
import io.metaq.state.record.RecordType;
import io.metaq.state.record.TransactionStep;
import io.metaq.state.subscription.MessageRanges;
import io.metaq.state.subscription.Subscription;
import io.metaq.state.subscription.Subscriptions;
import io.metaq.state.transaction.HeapLimits;
import io.metaq.state.transaction.TransactionOutcome;
import io.metaq.state.transaction.TransactionRules;
import io.metaq.state.transaction.TransactionTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the broker knows, as a function of its journal. Records are applied in journal order on the writer thread; what
 * they change may be read from any thread. Messages of a batch become readable together, at the batch's end.
 */
public final class BrokerState implements StateMachine {
    private static final long TEMPORARY_BYTES = 64L << 20;

    private final Topics topics;
    private final TemporaryTopics temporary;
    private final Groups groups = new Groups();
    private final Producers producers = new Producers();
    private final Subscriptions subscriptions = new Subscriptions();
    private final Appender appender;
    private final ChangeRules rules;
    private final TransactionLedger ledger;
    private final TransactionRules transactions;
    private final MessageRanges acknowledged = new MessageRanges();
    private volatile Consumer<Change> observer = change -> {};
    private volatile Runnable answered = () -> {};
    private long appliedPosition;

    /**
     * @param partitionsDir where the partition logs are
     * @param segmentBytes how large a segment of a topic's partition logs becomes before the next is begun
     */
    public BrokerState(Path partitionsDir, OpenFiles files, SegmentBytes segmentBytes) {
        this(partitionsDir, files, segmentBytes, new TemporaryTopics(Long.MIN_VALUE, TEMPORARY_BYTES));
    }

    /** The same with temporary topics. */
    public BrokerState(Path partitionsDir, OpenFiles files, SegmentBytes segmentBytes, TemporaryTopics temporary) {
        this(partitionsDir, files, segmentBytes, temporary, HeapLimits.DEFAULT);
    }

    BrokerState(
            Path partitionsDir,
            OpenFiles files,
            SegmentBytes segmentBytes,
            TemporaryTopics temporary,
            HeapLimits limits) {
        this.topics = new Topics(partitionsDir, files, segmentBytes, subscriptions);
        this.temporary = temporary;
        this.appender = new Appender(topics, temporary, subscriptions, producers);
        this.ledger = new TransactionLedger(
                partitionsDir.resolveSibling("transactions"), files, topics, subscriptions, producers, appender);
        this.transactions = new TransactionRules(ledger, limits);
        topics.largeReferences().waiting(transactions::chunkFloor);
        this.rules = new ChangeRules(topics, groups, subscriptions, producers, appender, transactions);
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

    /**
     * Tells {@code observer} which messages are pending again because a transaction that acknowledged them was rolled back, on
     * the writer thread; the ranges are not to be changed. They have come back once more already ({@link
     * io.metaq.state.subscription.Cursor#deliveries}): who delivers them has to look for them again.
     */
    public void observeReturned(BiConsumer<Subscription, MessageRanges> observer) {
        ledger.observe(observer::accept);
    }

    /** The transactions of more than one record. */
    public TransactionTable transactions() {
        return transactions.table();
    }

    /** Runs {@code answered} after the proposals of each batch have been completed, on the writer thread. */
    public void whenAnswered(Runnable answered) {
        this.answered = answered;
    }

    /** The topic of this name, temporary ones included. */
    public @Nullable Topic topic(String name) {
        return TemporaryTopics.isTemporary(name) ? temporary.topic(name) : topics.byName(name);
    }

    /** The topic of this number, temporary ones included. */
    public @Nullable Topic topic(int id) {
        return id < 0 ? temporary.topic(id) : topics.byId(id);
    }

    public TemporaryTopics temporary() {
        return temporary;
    }

    /** The subscription of this name: a journalled one, or that of a temporary queue. */
    public @Nullable Subscription subscription(String name) {
        Subscription journalled = subscriptions.byName(name);
        return journalled != null ? journalled : temporary.subscription(name);
    }

    /** The journalled subscriptions, by name; a live view. */
    public Collection<Subscription> subscriptions() {
        return subscriptions.all();
    }

    /** The journalled subscriptions of a topic. */
    public List<Subscription> subscriptions(Topic topic) {
        return subscriptions.ofTopic(topic.id());
    }

    /**
     * Up to where nobody needs a partition any more: every journalled subscription of the topic has acknowledged it, and no
     * message elsewhere has its payload in it. {@link Long#MAX_VALUE} when there are neither.
     */
    public long floor(Topic topic, int partition) {
        return topics.floor(topic, partition);
    }

    /** All topics but temporary ones, by name; a live view. */
    public Collection<Topic> topics() {
        return Collections.unmodifiableCollection(topics.all());
    }

    public @Nullable Partition partition(String topic, int partition) {
        Topic found = topic(topic);
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
        return appender.nextMessageId() != 0;
    }

    @Override
    public void apply(long position, int epoch, byte type, @Nullable ByteBuffer body, @Nullable Proposal proposal)
            throws IOException {
        switch (type) {
            case RecordType.TRANSACTION,
                    RecordType.TRANSACTION_ENLISTED,
                    RecordType.TRANSACTION_COMMITTED,
                    RecordType.TRANSACTION_RESOLVED -> {
                appender.beginTogether();
                applyRecord(type, body, proposal);
                appender.endTogether();
                transactions.recordEnded();
            }
            default -> applyRecord(type, body, proposal);
        }
    }

    private void applyRecord(byte type, @Nullable ByteBuffer body, @Nullable Proposal proposal) throws IOException {
        switch (type) {
            case RecordType.MESSAGES -> appender.messages(body, (MessagesProposal) proposal);
            case RecordType.ACKNOWLEDGED -> acknowledge(required(body), (AcknowledgeProposal) proposal);
            case RecordType.MOVED -> appender.moved(body, (MovedProposal) proposal);
            case RecordType.TRANSACTION -> appender.transaction(body, (TransactionProposal) proposal);
            case RecordType.TRANSACTION_ENLISTED -> enlist(body, (EnlistProposal) proposal);
            case RecordType.TRANSACTION_PREPARED,
                    RecordType.TRANSACTION_COMMITTED,
                    RecordType.TRANSACTION_ROLLED_BACK,
                    RecordType.TRANSACTION_RESOLVED,
                    RecordType.TRANSACTION_FORGOTTEN ->
                step(TransactionStep.decode(type, required(body)), (TransactionStepProposal) proposal);
            default -> {
                Change change = Change.decode(type, required(body));
                Outcome outcome = rules.apply(change, observer);
                if (outcome instanceof Outcome.Done) {
                    observer.accept(change);
                }
                if (proposal instanceof ChangeProposal asked) {
                    asked.outcome(outcome);
                }
            }
        }
    }

    private void enlist(@Nullable ByteBuffer body, @Nullable EnlistProposal proposal) throws IOException {
        long largeBefore = transactions.largeCommits();
        TransactionOutcome outcome;
        if (body != null) {
            ByteBuffer messages = body.duplicate();
            EnlistedRecord record = EnlistedRecord.read(messages);
            int[] starts = new int[record.parts().messages().size() + 1];
            starts[0] = messages.position();
            for (int i = 1; i < starts.length; i++) {
                starts[i] = starts[i - 1] + record.parts().messages().get(i - 1).bytes();
            }
            outcome = transactions.enlist(
                    record, part -> messages.duplicate().limit(starts[part + 1]).position(starts[part]));
        } else if (proposal != null) {
            outcome = transactions.enlist(proposal.enlisted(), proposal::messages);
        } else {
            throw new IllegalStateException("a record is replayed in one piece, or proposed in parts");
        }
        if (proposal != null) {
            proposal.outcome(outcome);
            if (transactions.largeCommits() != largeBefore) {
                proposal.readable(transactions::whenReadable);
            }
        }
    }

    private void step(TransactionStep step, @Nullable TransactionStepProposal proposal) throws IOException {
        long largeBefore = transactions.largeCommits();
        TransactionOutcome outcome = transactions.step(step);
        if (proposal != null) {
            proposal.outcome(outcome);
            if (transactions.largeCommits() != largeBefore) {
                proposal.readable(transactions::whenReadable);
            }
        }
    }

    private static ByteBuffer required(@Nullable ByteBuffer body) {
        if (body == null) {
            throw new IllegalStateException("journal record without a body in one piece");
        }
        return body;
    }

    private void acknowledge(ByteBuffer body, @Nullable AcknowledgeProposal proposal) throws IOException {
        Subscription subscription = subscriptions.byId(Acknowledged.read(body.duplicate(), acknowledged));
        if (subscription != null) {
            long pending = subscriptions.acknowledge(subscription, acknowledged);
            if (proposal != null) {
                proposal.acknowledged(pending);
            }
        }
    }

    @Override
    public void endOfBatch(long position) throws IOException {
        appliedPosition = position;
        appender.flush();
    }

    /** Copies a slice of a large transaction that is committed. */
    @Override
    public boolean proceed() throws IOException {
        if (!transactions.committing()) {
            return false;
        }
        boolean more = transactions.proceed();
        if (!more) {
            answered.run(); // whoever waited for it was told
        }
        return more;
    }

    /** Whether a large transaction is committed and not readable yet: a {@link #snapshot} would have to wait for it. Any thread. */
    public boolean committing() {
        return transactions.committing();
    }

    @Override
    public void batchAnswered() {
        answered.run();
    }

    /** The journal has been replayed, and a new life of the broker begins. Before its first record. */
    public void recovered() {
        subscriptions.recovered();
        transactions.live();
    }

    /**
     * Whether the disk had no room for messages that the journal has taken: they wait in memory, and new ones must be
     * refused until {@link #retryFlush} has written them. Any thread.
     */
    public boolean unwritten() {
        return appender.unwritten();
    }

    /** Tries again to write what waits for room. Writer thread, between batches. */
    public void retryFlush() throws IOException {
        appender.flush();
    }

    /**
     * The whole state as bytes, with the position it belongs to. Makes readable what is committed first. Writer thread, between
     * batches.
     *
     * @throws StorageFullException while {@link #unwritten()}: the state is ahead of the partition logs
     */
    public byte[] snapshot() throws IOException {
        if (transactions.committing()) {
            transactions.finish();
            answered.run();
        }
        if (appender.unwritten()) {
            throw new StorageFullException("messages wait for room on the disk");
        }
        for (Topic topic : topics.all()) {
            topics.trimScheduledNow(topic);
        }
        return Snapshot.write(new Snapshot.Header(appliedPosition, appender.nextMessageId()), parts());
    }

    private Snapshot.Parts parts() {
        return new Snapshot.Parts(topics, groups, producers, subscriptions, transactions);
    }

    /**
     * Becomes what {@link #snapshot} wrote; cuts partition logs back to it. On an empty state only.
     *
     * @return the journal position from which to replay
     * @throws IllegalArgumentException if the bytes are of a newer format
     */
    public long restore(byte[] snapshot) throws IOException {
        Snapshot.Header header = Snapshot.read(snapshot, parts());
        appender.nextMessageId(header.nextMessageId());
        appliedPosition = header.position();
        return header.position();
    }

    /** Partition logs written since they were last synced: to be synced before a snapshot counts. Writer thread. */
    public List<Partition> takeUnsynced() {
        return topics.takeUnsynced();
    }

    /** Folders of deleted topics and ended transactions, to be removed once a checkpoint without them is on disk. Writer thread. */
    public List<Path> takeDeletedFolders() {
        return topics.takeDeletedFolders();
    }

    /** Closes the partition logs' files. A stopped broker. */
    public void close() throws IOException {
        topics.close();
        transactions.close();
    }
}
