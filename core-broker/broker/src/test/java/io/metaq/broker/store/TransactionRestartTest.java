package io.metaq.broker.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.log.file.Storage;
import io.metaq.log.journal.Durability;
import io.metaq.log.journal.JournalConfig;
import io.metaq.state.EnlistProposal;
import io.metaq.state.Outcome;
import io.metaq.state.Topic;
import io.metaq.state.TransactionProposal;
import io.metaq.state.TransactionStepProposal;
import io.metaq.state.record.Change;
import io.metaq.state.record.EnlistedRecord;
import io.metaq.state.record.EnlistedRecord.Then;
import io.metaq.state.record.TransactionStep;
import io.metaq.state.subscription.MessageRanges;
import io.metaq.state.subscription.Subscription;
import io.metaq.state.transaction.Transaction;
import io.metaq.state.transaction.TransactionOutcome;
import io.metaq.state.transaction.TransactionOutcome.Code;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransactionRestartTest {
    private static final int MESSAGE_BYTES = 24;

    @TempDir
    Path dir;

    private Store open() throws IOException {
        return Store.open(
                new StoreConfig(
                        dir,
                        5,
                        JournalConfig.of(dir.resolve("journal")).withSegmentBytes(1 << 20),
                        topic -> 64 << 10,
                        100,
                        60_000,
                        1 << 30,
                        1 << 20),
                Storage.disk(),
                Clock.systemUTC());
    }

    private static ByteBuffer messages(int count, int bodyBytes) {
        int size = 20 + bodyBytes;
        ByteBuffer messages = ByteBuffer.allocate(count * size);
        for (int i = 0; i < count; i++) {
            messages.putInt(i * size, bodyBytes);
        }
        return messages;
    }

    private static TransactionOutcome enlist(Store store, String key, Then then, TransactionProposal.Parts parts) {
        CompletableFuture<TransactionOutcome> done = new CompletableFuture<>();
        store.propose(
                new EnlistProposal(
                        new EnlistProposal.Target(key, EnlistedRecord.ANY, then, 60_000, "test"),
                        0,
                        0,
                        1_000,
                        Durability.DISK,
                        parts) {
                    @Override
                    public void committed() {
                        done.complete(outcome());
                    }

                    @Override
                    public void failed(Throwable cause) {
                        done.completeExceptionally(cause);
                    }
                });
        return done.join();
    }

    private static Code step(Store store, TransactionStep.Kind kind, long id) {
        CompletableFuture<TransactionOutcome> done = new CompletableFuture<>();
        store.propose(new TransactionStepProposal(new TransactionStep(kind, id, 2_000), Durability.DISK) {
            @Override
            public void committed() {
                done.complete(outcome());
            }

            @Override
            public void failed(Throwable cause) {
                done.completeExceptionally(cause);
            }
        });
        return done.join().code();
    }

    private static Subscription queueOf(Store store) {
        return Objects.requireNonNull(store.state().subscription("queue:q"));
    }

    private static Topic topicOf(Store store) {
        return Objects.requireNonNull(store.state().topic("t"));
    }

    private static void prepared(Store store) {
        change(store, new Change.TopicCreated("t", 1, Map.of()));
        change(store, new Change.TopicCreated("q", 1, Map.of(Topic.KIND, "queue")));
        int queue = Objects.requireNonNull(store.state().topic("q")).id();
        enlist(store, "fill", Then.COMMIT, new TransactionProposal.Parts().messages(queue, 0, 3, messages(3, 4)));
        TransactionProposal.Parts branch = new TransactionProposal.Parts()
                .messages(topicOf(store).id(), 0, 1, messages(1, 4))
                .acknowledge(queueOf(store).id(), MessageRanges.of(0, MESSAGE_BYTES, 2 * MESSAGE_BYTES, 1));
        assertThat(enlist(store, "XID:1", Then.PREPARE, branch).code()).isEqualTo(Code.PREPARED);
        TransactionProposal.Parts unprepared =
                new TransactionProposal.Parts().acknowledge(queueOf(store).id(), MessageRanges.of(0, 0, 24, 1));
        assertThat(enlist(store, "XID:2", Then.NOTHING, unprepared).code()).isEqualTo(Code.DONE);
    }

    private static void change(Store store, Change change) {
        assertThat(store.change(change, Durability.OS).join()).isEqualTo(Outcome.DONE);
    }

    /** Fills the journal, and lets it go again. */
    private static void roll(Store store, int segments) throws IOException {
        for (int i = 0; i < segments; i++) {
            enlist(
                    store,
                    "roll" + i,
                    Then.COMMIT,
                    new TransactionProposal.Parts().messages(topicOf(store).id() + 1, 0, 1, messages(1, 900_000)));
            if (i % 10 == 9) {
                store.checkpoint();
            }
        }
    }

    private void endAfterManySegments(TransactionStep.Kind kind, int copies, int depth) throws IOException {
        try (Store store = open()) {
            prepared(store);
            roll(store, 100);
        }
        try (Stream<Path> journal = Files.list(dir.resolve("journal"))) {
            assertThat(journal).as("segments were used again").hasSizeLessThan(40);
        }
        try (Store store = open()) {
            Transaction branch =
                    Objects.requireNonNull(store.state().transactions().find("XID:1"));
            assertThat(branch.phase()).isEqualTo(Transaction.Phase.PREPARED);
            assertThat(topicOf(store).partitions()[0].log().messageCount()).isZero();
            assertThat(step(store, kind, branch.id())).isEqualTo(Code.DONE);
            assertThat(step(store, kind, branch.id())).isEqualTo(Code.UNKNOWN);
            Transaction unprepared =
                    Objects.requireNonNull(store.state().transactions().find("XID:2"));
            assertThat(step(store, TransactionStep.Kind.RESTART, unprepared.id()))
                    .isEqualTo(Code.DONE);
        }
        try (Store store = open()) {
            assertThat(topicOf(store).partitions()[0].log().messageCount()).isEqualTo(copies);
            assertThat(queueOf(store).depth()).isEqualTo(100 + depth);
            assertThat(queueOf(store).cursor(0).isAcknowledged(MESSAGE_BYTES)).isEqualTo(copies == 1);
            assertThat(queueOf(store).cursor(0).deliveries(MESSAGE_BYTES)).isEqualTo(1 - copies);
            assertThat(store.state().transactions().all()).isEmpty();
        }
    }

    @Test
    void shouldCommitAPreparedOneOnceAfterManySegmentsAndARestart() throws IOException {
        endAfterManySegments(TransactionStep.Kind.COMMIT, 1, 2);
    }

    @Test
    void shouldRollBackAPreparedOneAfterManySegmentsAndARestart() throws IOException {
        endAfterManySegments(TransactionStep.Kind.ROLL_BACK, 0, 3);
    }
}
