package io.metaq.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.state.record.Change;
import io.metaq.state.subscription.MessageRanges;
import io.metaq.state.subscription.Start;
import io.metaq.state.subscription.Subscription;
import io.metaq.state.subscription.SubscriptionInfo;
import io.metaq.state.subscription.SubscriptionInfo.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScheduledIndexTest {
    private static final int MANY = 2_000;

    @TempDir
    Path dir;

    private final ScheduledIndex index = new ScheduledIndex();

    private static List<Long> offsets(ScheduledIndex index, long from) {
        List<Long> offsets = new ArrayList<>();
        index.forEachFrom(from, (offset, priority, time) -> offsets.add(offset));
        return offsets;
    }

    @Test
    void shouldBeReadFromAnyOffsetOn() {
        index.add(10, 9, 0);
        index.add(30, 4, 5_000);
        index.add(50, 0, 0);
        assertThat(offsets(index, 0)).containsExactly(10L, 30L, 50L);
        assertThat(offsets(index, 11)).containsExactly(30L, 50L);
        assertThat(offsets(index, 30)).containsExactly(30L, 50L);
        assertThat(offsets(index, 51)).isEmpty();
        List<String> entries = new ArrayList<>();
        index.forEachBetween(10, 50, (offset, priority, time) -> entries.add(offset + " " + priority + " " + time));
        assertThat(entries).containsExactly("10 9 0", "30 4 5000");
    }

    @Test
    void shouldKeepWhatIsNotDueOrMayStillBeDelivered() {
        index.add(10, 9, 0);
        index.add(20, 4, 9_000);
        index.add(30, 4, 1_000);
        index.add(40, 8, 0);
        index.trim(0, 35, Long.MAX_VALUE, 5_000);
        assertThat(offsets(index, 0)).containsExactly(20L, 40L);
        index.trim(25, Long.MAX_VALUE, Long.MAX_VALUE, 5_000);
        assertThat(offsets(index, 0)).isEmpty();
    }

    @Test
    void shouldKeepForATransientSubscriptionWhatNoCheckpointHas() throws IOException {
        StateFixture fixture = StateFixture.founded(dir);
        Topic topic = fixture.create("t", 1, Map.of());
        Subscription one =
                topic.subscribe(new SubscriptionInfo("x", topic.id(), Kind.TRANSIENT, null, null), Start.LAST);
        fixture.put(topic, 0, 1, StateFixture.scheduled(9, 0), 1_000);
        fixture.put(topic, 0, 1, StateFixture.scheduled(4, 50_000), 1_000);
        byte[] snapshot = fixture.state.snapshot();
        ScheduledIndex live = topic.partitions()[0].scheduled();
        assertThat(live.size()).isEqualTo(2);
        StateFixture restored = new StateFixture(dir);
        restored.state.restore(snapshot);
        Partition partition = restored.state.partition("t", 0);
        assertThat(partition).isNotNull();
        List<Long> times = new ArrayList<>();
        partition.scheduled().forEachFrom(0, (offset, priority, time) -> times.add(time));
        assertThat(times).containsExactly(50_000L);
        one.cursor(0).acknowledge(0, topic.partitions()[0].log().endOffset(), 2);
        topic.unsubscribe(one);
        fixture.state.snapshot();
        assertThat(live.size()).isEqualTo(1);
    }

    @Test
    void shouldStaySmallWhileMessagesAreConsumed() throws IOException {
        StateFixture fixture = StateFixture.founded(dir);
        Topic queue = fixture.queue("q");
        Subscription subscription = fixture.subscription("queue:q");
        ScheduledIndex scheduled = queue.partitions()[0].scheduled();
        for (int i = 0; i < MANY; i++) {
            long from = queue.partitions()[0].log().endOffset();
            fixture.put(queue, 0, 1, StateFixture.scheduled(9, 0), i);
            fixture.acknowledge(
                    subscription.id(),
                    MessageRanges.of(0, from, queue.partitions()[0].log().endOffset(), 1));
            assertThat(scheduled.size()).isLessThan(600);
        }
    }

    @Test
    void shouldTakeAMessageWithABlockThatIsNoneForAnOrdinaryOne() throws IOException {
        StateFixture fixture = StateFixture.founded(dir);
        Topic topic = fixture.create("t", 1, Map.of());
        ByteBuffer broken = StateFixture.scheduled(9, 77);
        broken.putInt(20, 9_999); // the block's length
        ByteBuffer flagOnly = StateFixture.messages(1);
        flagOnly.putInt(16, 4); // SCHEDULED without PROPERTIES: some other client's flag
        fixture.put(topic, 0, 1, broken, 1);
        fixture.put(topic, 0, 1, flagOnly, 1);
        assertThat(topic.partitions()[0].scheduled().size()).isZero();
        assertThat(StateFixture.ids(topic.partitions()[0].log())).hasSize(2);
    }

    @Test
    void shouldLoseNoDelayedMessageOfATopicThatNobodySubscribesTo() throws IOException {
        StateFixture fixture = StateFixture.founded(dir);
        Topic topic = fixture.create("t", 1, Map.of());
        for (int i = 0; i < MANY; i++) {
            fixture.put(topic, 0, 1, StateFixture.scheduled(4, i % 100 == 0 ? 1_000_000 : i), i);
        }
        fixture.change(new Change.SubscriptionCreated(
                new SubscriptionInfo("late", topic.id(), Kind.DURABLE, null, null), topic.first()));
        assertThat(topic.partitions()[0].scheduled().size()).isBetween(MANY / 100, MANY / 100 + 1);
    }
}
