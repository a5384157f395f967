package io.metaq.broker.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.command.TopicCatalog;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.store.Store;
import io.metaq.broker.store.StoreConfig;
import io.metaq.log.file.Storage;
import io.metaq.log.journal.Durability;
import io.metaq.log.journal.JournalConfig;
import io.metaq.message.HeaderField;
import io.metaq.message.PropertyBlockWriter;
import io.metaq.state.AcknowledgeProposal;
import io.metaq.state.MessagesProposal;
import io.metaq.state.Outcome;
import io.metaq.state.Topic;
import io.metaq.state.record.Change;
import io.metaq.state.record.MessageRecord;
import io.metaq.state.subscription.MessageRanges;
import io.metaq.state.subscription.Start;
import io.metaq.state.subscription.Subscription;
import io.metaq.state.subscription.SubscriptionInfo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetentionTest {
    private static final int SEGMENT_BYTES = 64 << 10;
    private static final int BODY_BYTES = 8 << 10;
    private static final int MESSAGE_BYTES = BODY_BYTES + 20;
    private static final Map<String, String> QUEUE = Map.of("kind", "queue");
    private static final Map<String, String> EVERY_SECOND =
            Map.of("deleteWhen", "* * * * * ?", "deletePolicy", "delete,1h");

    @TempDir
    Path dir;

    private Instant now = Instant.parse("2026-05-01T10:00:00Z");
    private Store store;
    private Retention retention;

    private final Clock clock = new Clock() {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    };

    @BeforeEach
    void open() throws Exception {
        BrokerConfig config = BrokerConfig.builder().dataPath(dir).build();
        store = Store.open(
                new StoreConfig(
                        dir,
                        1,
                        JournalConfig.of(dir.resolve("journal")).withSegmentBytes(1 << 20),
                        topic -> SEGMENT_BYTES,
                        100,
                        60_000,
                        1 << 30,
                        1 << 20),
                Storage.disk(),
                clock);
        retention = new Retention(store, new TopicCatalog(config, store.state()), clock);
    }

    @AfterEach
    void close() throws IOException {
        store.close();
    }

    private Topic create(Map<String, String> settings) {
        return create("x", settings);
    }

    private Topic create(String name, Map<String, String> settings) {
        assertThat(store.change(new Change.TopicCreated(name, 1, settings), Durability.OS)
                        .join())
                .isEqualTo(Outcome.DONE);
        return Objects.requireNonNull(store.state().topic(name));
    }

    /** Appends messages of 8 KiB each. */
    private void fill(Topic topic, int count) {
        for (int i = 0; i < count; i++) {
            append(topic, ByteBuffer.allocate(MESSAGE_BYTES).putInt(0, BODY_BYTES));
        }
    }

    private void append(Topic topic, ByteBuffer message) {
        CompletableFuture<Void> stored = new CompletableFuture<>();
        store.propose(
                new MessagesProposal(
                        new MessageRecord(topic.id(), 0, now.toEpochMilli(), 0, 0, 1), Durability.OS, message) {
                    @Override
                    public void committed() {
                        stored.complete(null);
                    }

                    @Override
                    public void failed(Throwable cause) {
                        stored.completeExceptionally(cause);
                    }
                });
        stored.join();
    }

    private void acknowledge(Subscription subscription, int messages) {
        acknowledge(subscription, MessageRanges.of(0, 0, (long) messages * MESSAGE_BYTES, messages));
    }

    private void acknowledge(Subscription subscription, MessageRanges ranges) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        store.propose(new AcknowledgeProposal(subscription.id(), ranges, Durability.OS) {
            @Override
            public void committed() {
                done.complete(null);
            }

            @Override
            public void failed(Throwable cause) {
                done.completeExceptionally(cause);
            }
        });
        done.join();
    }

    /** Looks once, a second later, and waits until what was proposed is in effect. */
    private long startAfterALook(Topic topic) {
        now = now.plusSeconds(1);
        retention.look();
        store.change(new Change.ProducersExpired(0), Durability.OS).join();
        return topic.partitions()[0].log().startOffset();
    }

    private Subscription subscription(String name) {
        return Objects.requireNonNull(store.state().subscription(name));
    }

    @Test
    void shouldKeepEveryMessageOfAQueueUntilItIsAcknowledged() {
        Topic queue = create(QUEUE);
        fill(queue, 30);
        now = now.plus(Duration.ofDays(365));
        assertThat(startAfterALook(queue)).isZero();
        acknowledge(subscription("queue:x"), 20);
        assertThat(startAfterALook(queue)).isPositive().isLessThanOrEqualTo(20L * MESSAGE_BYTES);
        assertThat(subscription("queue:x").depth()).isEqualTo(10);
    }

    @Test
    void shouldLeaveAQueuesNewestFileWhileItIsSmall() {
        Topic queue = create(QUEUE);
        fill(queue, 30);
        acknowledge(subscription("queue:x"), 30);
        long start = startAfterALook(queue);
        assertThat(start).isPositive().isLessThan(30L * MESSAGE_BYTES);
        assertThat(startAfterALook(queue)).isEqualTo(start);
    }

    @Test
    void shouldKeepWhatWasAcknowledgedWhereAskedUntilThePolicyTakesIt() {
        Topic queue = create(Map.of(
                "kind",
                "queue",
                "retainAcknowledged",
                "true",
                "deleteWhen",
                "* * * * * ?",
                "deletePolicy",
                "delete,1h"));
        fill(queue, 30);
        acknowledge(subscription("queue:x"), 20);
        assertThat(startAfterALook(queue)).isZero();
        now = now.plus(Duration.ofHours(2));
        assertThat(startAfterALook(queue)).isPositive().isLessThanOrEqualTo(20L * MESSAGE_BYTES);
    }

    @Test
    void shouldNotTakeFromATopicWhatADurableSubscriptionHasNotAcknowledged() throws IOException {
        Topic topic = create(EVERY_SECOND);
        store.change(
                        new Change.SubscriptionCreated(
                                new SubscriptionInfo("s", topic.id(), SubscriptionInfo.Kind.DURABLE, null, null),
                                Start.LAST),
                        Durability.OS)
                .join();
        fill(topic, 30);
        now = now.plus(Duration.ofHours(2));
        assertThat(startAfterALook(topic)).isZero();
        acknowledge(subscription("s"), 12);
        assertThat(startAfterALook(topic)).isPositive().isLessThanOrEqualTo(12L * MESSAGE_BYTES);
        store.change(new Change.SubscriptionDeleted("s"), Durability.OS).join();
        assertThat(startAfterALook(topic)).isEqualTo(30L * MESSAGE_BYTES);
    }

    @Test
    void shouldKeepChunksWhileAMessageNeedsThemAndNoLonger() {
        Topic queue = create("x", QUEUE);
        Topic chunks = create("x.large", EVERY_SECOND);
        fill(chunks, 20);
        ByteBuffer message = referenceTo("x.large", 10L * MESSAGE_BYTES);
        int length = message.remaining();
        append(queue, message);
        now = now.plus(Duration.ofDays(30));
        fill(chunks, 1);
        assertThat(startAfterALook(chunks)).isPositive().isLessThanOrEqualTo(10L * MESSAGE_BYTES);
        acknowledge(subscription("queue:x"), MessageRanges.of(0, 0, length, 1));
        assertThat(startAfterALook(chunks)).isGreaterThan(10L * MESSAGE_BYTES);
    }

    private static ByteBuffer referenceTo(String companion, long firstChunk) {
        PropertyBlockWriter block = new PropertyBlockWriter()
                .header(HeaderField.LARGE_TOPIC, companion)
                .header(HeaderField.LARGE_OFFSET, firstChunk);
        byte[] body = block.join(ByteBuffer.allocate(8));
        return ByteBuffer.allocate(20 + body.length)
                .putInt(body.length)
                .putInt(0)
                .putLong(0)
                .putInt(block.flags())
                .put(body)
                .flip();
    }
}
