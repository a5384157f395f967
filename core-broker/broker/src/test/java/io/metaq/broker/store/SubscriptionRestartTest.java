package io.metaq.broker.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.log.file.Storage;
import io.metaq.log.journal.Durability;
import io.metaq.log.journal.JournalConfig;
import io.metaq.state.Outcome;
import io.metaq.state.TemporaryTopics;
import io.metaq.state.Topic;
import io.metaq.state.TransactionProposal;
import io.metaq.state.record.Change;
import io.metaq.state.subscription.Cursor;
import io.metaq.state.subscription.MessageRanges;
import io.metaq.state.subscription.Subscription;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubscriptionRestartTest {
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

    private static ByteBuffer messages(int count) {
        ByteBuffer messages = ByteBuffer.allocate(count * MESSAGE_BYTES);
        for (int i = 0; i < count; i++) {
            messages.putInt(i * MESSAGE_BYTES, MESSAGE_BYTES - 20);
        }
        return messages;
    }

    private static void transact(Store store, TransactionProposal.Parts parts) {
        CompletableFuture<Outcome> done = new CompletableFuture<>();
        store.propose(new TransactionProposal(0, 0, 1_000, Durability.DISK, parts) {
            @Override
            public void committed() {
                done.complete(outcome());
            }

            @Override
            public void failed(Throwable cause) {
                done.completeExceptionally(cause);
            }
        });
        assertThat(done.join()).isEqualTo(Outcome.DONE);
    }

    private static Subscription queueOf(Store store) {
        return Objects.requireNonNull(store.state().subscription("queue:q"));
    }

    private void fill() throws IOException {
        try (Store store = open()) {
            change(store, new Change.TopicCreated("q", 1, Map.of(Topic.KIND, "queue")));
            int topic = Objects.requireNonNull(store.state().topic("q")).id();
            int subscription = queueOf(store).id();
            transact(store, new TransactionProposal.Parts().messages(topic, 0, 10, messages(10)));
            transact(
                    store,
                    new TransactionProposal.Parts()
                            .messages(topic, 0, 2, messages(2))
                            .acknowledge(subscription, MessageRanges.of(0, 48, 96, 2)));
            change(store, new Change.DeliveredMark(subscription, 0, 4_096));
            change(store, new Change.Returned(subscription, 0, List.of(new Change.ReturnedMessage(24, 77))));
        }
    }

    private static void change(Store store, Change change) {
        assertThat(store.change(change, Durability.OS).join()).isEqualTo(Outcome.DONE);
    }

    @Test
    void shouldKnowAfterARestartWhatIsPendingAndWhatMayHaveBeenDelivered() throws IOException {
        fill();
        try (Store store = open()) {
            Subscription queue = queueOf(store);
            Cursor cursor = queue.cursor(0);
            assertThat(queue.depth()).isEqualTo(10);
            assertThat(cursor.nextPending(48)).isEqualTo(96);
            assertThat(cursor.deliveries(24)).isEqualTo(1);
            assertThat(cursor.notBefore(24)).isEqualTo(77);
            assertThat(cursor.recoveredMark()).isEqualTo(12 * MESSAGE_BYTES);
        }
    }

    @Test
    void shouldNumberTemporaryMessagesWhereTheJournalNeverComes() throws IOException {
        fill();
        try (Store store = open()) {
            TemporaryTopics temporary = store.state().temporary();
            Topic reply = Objects.requireNonNull(temporary.create("temp:r", Topic.Kind.QUEUE));
            TemporaryTopics.Stored stored = Objects.requireNonNull(temporary.append(reply, messages(1), 1, 1));
            assertThat(stored.firstId() >>> 53).isEqualTo(5);
            assertThat(stored.firstId() & 1L << 52).isNotZero();
            transact(
                    store,
                    new TransactionProposal.Parts()
                            .messages(reply.id(), 0, 1, messages(1))
                            .messages(
                                    Objects.requireNonNull(store.state().topic("q"))
                                            .id(),
                                    0,
                                    1,
                                    messages(1)));
            assertThat(reply.partitions()[0].log().messageCount()).isEqualTo(2);
        }
        try (Store store = open()) {
            assertThat(store.state().topic("temp:r")).isNull();
            assertThat(queueOf(store).depth()).isEqualTo(11);
        }
    }
}
