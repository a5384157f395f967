package io.metaq.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.log.file.Storage;
import io.metaq.log.journal.Durability;
import io.metaq.log.journal.Proposal;
import io.metaq.log.partition.LogSlice;
import io.metaq.log.partition.MessageLog;
import io.metaq.log.partition.OpenFiles;
import io.metaq.message.HeaderField;
import io.metaq.message.PropertyBlockWriter;
import io.metaq.state.EnlistProposal.Target;
import io.metaq.state.record.Change;
import io.metaq.state.record.EnlistedRecord;
import io.metaq.state.record.EnlistedRecord.Then;
import io.metaq.state.record.MessageRecord;
import io.metaq.state.record.MovedRecord;
import io.metaq.state.record.TransactionStep;
import io.metaq.state.subscription.MessageRanges;
import io.metaq.state.subscription.Subscription;
import io.metaq.state.transaction.HeapLimits;
import io.metaq.state.transaction.TransactionOutcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A state that is driven as the journal drives it, and remembers the records it was given. */
final class StateFixture {
    static final int MESSAGE_BYTES = 25;
    static final int SEGMENT_BYTES = 2_048;
    static final int TRANSACTION_HEAP_BYTES = 1_024;

    /** A record as the journal has it. */
    record Entry(byte type, byte[] body) {}

    final BrokerState state;
    final List<Entry> journal = new ArrayList<>();
    final List<Change> observed = new ArrayList<>();

    StateFixture(Path dir) {
        this(dir, Storage.disk());
    }

    StateFixture(Path dir, Storage storage) {
        this.state = new BrokerState(
                dir.resolve("partitions"),
                new OpenFiles(storage, 100),
                topic -> SEGMENT_BYTES,
                new TemporaryTopics(Long.MIN_VALUE, 64 << 20),
                new HeapLimits(TRANSACTION_HEAP_BYTES, 4 * TRANSACTION_HEAP_BYTES));
        state.observe(observed::add);
    }

    static StateFixture founded(Path dir) throws IOException {
        StateFixture fixture = new StateFixture(dir);
        fixture.change(new Change.BrokerFounded(100));
        return fixture;
    }

    /** Applies a proposal as a batch of its own. */
    void propose(Proposal proposal) throws IOException {
        byte[] body = body(proposal);
        journal.add(new Entry(proposal.type(), body));
        state.apply(state.appliedPosition(), 1, proposal.type(), ByteBuffer.wrap(body.clone()), proposal);
        state.endOfBatch(state.appliedPosition() + 1);
    }

    /** The same for a record so large that its parts are not copied together. */
    void proposeInParts(Proposal proposal) throws IOException {
        journal.add(new Entry(proposal.type(), body(proposal)));
        state.apply(state.appliedPosition(), 1, proposal.type(), null, proposal);
        state.endOfBatch(state.appliedPosition() + 1);
    }

    static byte[] body(Proposal proposal) {
        ByteBuffer[] parts = new ByteBuffer[Proposal.MAX_PARTS];
        int n = proposal.body(parts, 0);
        ByteBuffer body = ByteBuffer.allocate(proposal.bodyLength());
        for (int i = 0; i < n; i++) {
            body.put(parts[i]);
        }
        assertThat(body.hasRemaining()).isFalse();
        return body.array();
    }

    /** Applies records as a replay does, {@code batch} of them between two ends of a batch. */
    void replay(List<Entry> entries, int batch) throws IOException {
        int n = 0;
        for (Entry entry : entries) {
            state.apply(
                    state.appliedPosition() + n,
                    1,
                    entry.type(),
                    ByteBuffer.wrap(entry.body().clone()),
                    null);
            if (++n == batch) {
                state.endOfBatch(state.appliedPosition() + n);
                n = 0;
            }
        }
        state.endOfBatch(state.appliedPosition() + n);
    }

    Outcome change(Change change) throws IOException {
        ChangeProposal proposal = new ChangeProposal(change, Durability.OS) {
            @Override
            public void committed() {}

            @Override
            public void failed(Throwable cause) {}
        };
        propose(proposal);
        return proposal.outcome();
    }

    Topic queue(String name) throws IOException {
        return create(name, 1, Map.of(Topic.KIND, "queue"));
    }

    Topic create(String name, int partitions, Map<String, String> settings) throws IOException {
        assertThat(change(new Change.TopicCreated(name, partitions, settings))).isEqualTo(Outcome.DONE);
        Topic topic = state.topic(name);
        assertThat(topic).isNotNull();
        return topic;
    }

    Subscription subscription(String name) {
        Subscription subscription = state.subscription(name);
        assertThat(subscription).as(name).isNotNull();
        return subscription;
    }

    void put(Topic topic, int partition, int count) throws IOException {
        put(topic, partition, count, messages(count), 1_000);
    }

    void put(Topic topic, int partition, int count, ByteBuffer messages, long timestampMs) throws IOException {
        propose(
                new MessagesProposal(
                        new MessageRecord(topic.id(), partition, timestampMs, 0, 0, count), Durability.OS, messages) {
                    @Override
                    public void committed() {}

                    @Override
                    public void failed(Throwable cause) {}
                });
    }

    long acknowledge(Subscription subscription, int partition, int from, int to) throws IOException {
        return acknowledge(subscription.id(), MessageRanges.of(partition, at(from), at(to), to - from));
    }

    long acknowledge(int subscriptionId, MessageRanges ranges) throws IOException {
        AcknowledgeProposal proposal = new AcknowledgeProposal(subscriptionId, ranges, Durability.OS) {
            @Override
            public void committed() {}

            @Override
            public void failed(Throwable cause) {}
        };
        propose(proposal);
        return proposal.acknowledged();
    }

    Outcome transact(long producerId, long sequence, TransactionProposal.Parts parts) throws IOException {
        TransactionProposal proposal = transaction(producerId, sequence, parts);
        propose(proposal);
        return proposal.outcome();
    }

    static TransactionProposal transaction(long producerId, long sequence, TransactionProposal.Parts parts) {
        return new TransactionProposal(producerId, sequence, 1_000, Durability.DISK, parts) {
            @Override
            public void committed() {}

            @Override
            public void failed(Throwable cause) {}
        };
    }

    /** Adds to the transaction of this key, which is begun if it is not there. */
    TransactionOutcome enlist(String key, Then then, TransactionProposal.Parts parts) throws IOException {
        return enlist(new Target(key, EnlistedRecord.ANY, then, 60_000, "test"), 0, 0, parts);
    }

    TransactionOutcome enlist(Target target, long producerId, long sequence, TransactionProposal.Parts parts)
            throws IOException {
        EnlistProposal proposal = enlisted(target, producerId, sequence, parts);
        propose(proposal);
        return proposal.outcome();
    }

    static EnlistProposal enlisted(Target target, long producerId, long sequence, TransactionProposal.Parts parts) {
        return new EnlistProposal(target, producerId, sequence, 1_000, Durability.DISK, parts) {
            @Override
            public void committed() {}

            @Override
            public void failed(Throwable cause) {}
        };
    }

    TransactionOutcome step(TransactionStep.Kind kind, long id) throws IOException {
        TransactionStepProposal proposal = stepped(kind, id);
        propose(proposal);
        return proposal.outcome();
    }

    static TransactionStepProposal stepped(TransactionStep.Kind kind, long id) {
        return new TransactionStepProposal(new TransactionStep(kind, id, 2_000), Durability.DISK) {
            @Override
            public void committed() {}

            @Override
            public void failed(Throwable cause) {}
        };
    }

    Outcome move(MovedRecord moved, int topicId, int partition, ByteBuffer messages, int count) throws IOException {
        MovedProposal proposal =
                new MovedProposal(
                        moved, new MessageRecord(topicId, partition, 1_000, 0, 0, count), Durability.OS, messages) {
                    @Override
                    public void committed() {}

                    @Override
                    public void failed(Throwable cause) {}
                };
        propose(proposal);
        return proposal.outcome();
    }

    static long at(int message) {
        return (long) message * MESSAGE_BYTES;
    }

    static ByteBuffer messages(int count) {
        ByteBuffer messages = ByteBuffer.allocate(count * MESSAGE_BYTES);
        for (int i = 0; i < count; i++) {
            messages.putInt(5).putInt(907060870).putLong(0).putInt(0).put(new byte[] {'h', 'e', 'l', 'l', 'o'});
        }
        return messages.flip();
    }

    /** One message with a priority and a delivery time. */
    static ByteBuffer scheduled(int priority, long deliveryTimeMs) {
        PropertyBlockWriter block = new PropertyBlockWriter()
                .header(HeaderField.PRIORITY, priority)
                .header(HeaderField.DELIVERY_TIME, deliveryTimeMs);
        byte[] bytes = block.toBytes();
        ByteBuffer message = ByteBuffer.allocate(24 + bytes.length);
        message.putInt(4 + bytes.length).putInt(0).putLong(0).putInt(block.flags());
        return message.putInt(bytes.length).put(bytes).flip();
    }

    static List<Long> ids(MessageLog log) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(bytes(log));
        List<Long> ids = new ArrayList<>();
        for (int at = 0; at < bytes.limit(); at += 20 + bytes.getInt(at)) {
            ids.add(bytes.getLong(at + MessageRecord.MESSAGE_ID_AT));
        }
        return ids;
    }

    static byte[] bytes(MessageLog log) throws IOException {
        ByteBuffer all = ByteBuffer.allocate((int) (log.endOffset() - log.startOffset()));
        while (all.hasRemaining()) {
            LogSlice slice = log.slice(log.startOffset() + all.position(), all.remaining());
            assertThat(slice).isNotNull();
            slice.read(all.slice(all.position(), slice.length()), 0);
            all.position(all.position() + slice.length());
            slice.release();
        }
        return all.array();
    }
}
