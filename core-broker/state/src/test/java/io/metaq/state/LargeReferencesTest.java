package io.metaq.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.message.HeaderField;
import io.metaq.message.PropertyBlockWriter;
import io.metaq.state.record.Change;
import io.metaq.state.record.EnlistedRecord;
import io.metaq.state.record.MovedRecord;
import io.metaq.state.record.TransactionStep;
import io.metaq.state.subscription.MessageRanges;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chunks stay as long as a message needs them, and no longer. */
class LargeReferencesTest {
    @TempDir
    Path dir;

    private StateFixture fixture;
    private Topic companion;

    @BeforeEach
    void found() throws IOException {
        fixture = StateFixture.founded(dir.resolve("a"));
        companion = fixture.create("q.large", 1, Map.of());
    }

    private static ByteBuffer large(String companion, long firstChunk) {
        PropertyBlockWriter block = new PropertyBlockWriter()
                .header(HeaderField.LARGE_TOPIC, companion)
                .header(HeaderField.LARGE_OFFSET, firstChunk);
        byte[] body = block.join(ByteBuffer.allocate(8));
        ByteBuffer message = ByteBuffer.allocate(20 + body.length);
        return message.putInt(body.length)
                .putInt(0)
                .putLong(0)
                .putInt(block.flags())
                .put(body)
                .flip();
    }

    private long put(Topic topic, ByteBuffer message) throws IOException {
        long offset = topic.partitions()[0].log().endOffset();
        fixture.put(topic, 0, 1, message, 1_000);
        return offset;
    }

    private void acknowledge(Topic queue, long from) throws IOException {
        long to = queue.partitions()[0].log().endOffset();
        fixture.acknowledge(fixture.subscription("queue:" + queue.name()).id(), MessageRanges.of(0, from, to, 1));
    }

    private long floor() {
        return fixture.state.floor(companion, 0);
    }

    @Test
    void shouldKeepChunksOfQueuedMessageUntilItIsAcknowledged() throws IOException {
        Topic queue = fixture.queue("q");
        for (int i = 0; i < 20; i++) {
            fixture.put(companion, 0, 10);
        }
        assertThat(floor()).isEqualTo(Long.MAX_VALUE);
        long first = put(queue, large("q.large", StateFixture.at(100)));
        assertThat(floor()).isEqualTo(StateFixture.at(100));
        fixture.change(new Change.PartitionTrimmed(companion.id(), 0, StateFixture.at(200), Change.Disposal.DELETE));
        assertThat(companion.partitions()[0].log().startOffset())
                .isPositive()
                .isLessThanOrEqualTo(StateFixture.at(100));
        acknowledge(queue, first);
        assertThat(floor()).isEqualTo(Long.MAX_VALUE);
        fixture.change(new Change.PartitionTrimmed(companion.id(), 0, StateFixture.at(200), Change.Disposal.DELETE));
        assertThat(companion.partitions()[0].log().startOffset()).isGreaterThan(StateFixture.at(100));
    }

    @Test
    void shouldKeepChunksOfTopicAsLongAsItsLog() throws IOException {
        Topic topic = fixture.create("t", 1, Map.of());
        put(topic, large("q.large", 50));
        fixture.put(topic, 0, 300);
        put(topic, large("q.large", 75));
        assertThat(floor()).isEqualTo(50);
        fixture.change(new Change.PartitionTrimmed(topic.id(), 0, 5_000, Change.Disposal.DELETE));
        assertThat(topic.partitions()[0].log().startOffset()).isPositive();
        assertThat(floor()).isEqualTo(75);
        fixture.change(new Change.TopicDeleted("t"));
        assertThat(floor()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldFollowMessageToItsDeadLetterQueue() throws IOException {
        Topic queue = fixture.queue("q");
        Topic dead = fixture.queue("DLQ");
        ByteBuffer message = large("q.large", 25);
        long length = message.remaining();
        put(queue, message);
        assertThat(fixture.move(
                        new MovedRecord(fixture.subscription("queue:q").id(), 0, 0, length, 1),
                        dead.id(),
                        0,
                        large("q.large", 25),
                        1))
                .isEqualTo(Outcome.DONE);
        assertThat(floor()).isEqualTo(25);
        acknowledge(dead, 0);
        assertThat(floor()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldKeepNothingForOtherTopicsAndDamagedMessages() throws IOException {
        Topic queue = fixture.queue("q");
        Topic orders = fixture.create("orders", 1, Map.of());
        put(queue, large("orders", 0));
        put(queue, large("absent.large", 0));
        ByteBuffer damaged = large("q.large", 0);
        damaged.putInt(20, 1_000_000);
        put(queue, damaged);
        assertThat(floor()).isEqualTo(Long.MAX_VALUE);
        assertThat(fixture.state.floor(orders, 0)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldRememberAfterRestart() throws IOException {
        Topic queue = fixture.queue("q");
        put(queue, large("q.large", 50));
        long second = put(queue, large("q.large", 75));
        acknowledge(queue, second);
        byte[] snapshot = fixture.state.snapshot();
        StateFixture restored = new StateFixture(dir.resolve("a"));
        restored.state.restore(snapshot);
        assertThat(restored.state.floor(restored.state.topic("q.large"), 0)).isEqualTo(50);
        assertThat(restored.state.snapshot()).isEqualTo(snapshot);
        StateFixture replayed = new StateFixture(dir.resolve("b"));
        replayed.replay(fixture.journal, 3);
        assertThat(replayed.state.floor(replayed.state.topic("q.large"), 0)).isEqualTo(50);
    }

    @Test
    void shouldKeepChunksOfMessagesThatWaitInATransaction() throws IOException {
        Topic queue = fixture.queue("q");
        TransactionProposal.Parts parts = new TransactionProposal.Parts()
                .messages(queue.id(), 0, 1, StateFixture.messages(1))
                .messages(queue.id(), 0, 1, large("q.large", 75));
        long id = fixture.enlist("XID:1", EnlistedRecord.Then.PREPARE, parts).id();
        assertThat(floor()).isEqualTo(75);
        byte[] snapshot = fixture.state.snapshot();
        fixture.step(TransactionStep.Kind.COMMIT, id);
        assertThat(floor()).isEqualTo(75);
        acknowledge(queue, 0);
        assertThat(floor()).isEqualTo(Long.MAX_VALUE);
        StateFixture again = new StateFixture(dir.resolve("again"));
        again.state.restore(snapshot);
        assertThat(again.state.floor(again.create("x", 1, Map.of()), 0)).isEqualTo(Long.MAX_VALUE);
        Topic companionAgain = again.state.topic("q.large");
        assertThat(companionAgain).isNotNull();
        assertThat(again.state.floor(companionAgain, 0)).isEqualTo(75);
        again.step(TransactionStep.Kind.ROLL_BACK, id);
        assertThat(again.state.floor(companionAgain, 0)).isEqualTo(Long.MAX_VALUE);
    }
}
