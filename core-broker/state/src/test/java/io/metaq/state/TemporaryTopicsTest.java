package io.metaq.state;

import static io.metaq.state.StateFixture.at;
import static io.metaq.state.StateFixture.messages;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.metaq.state.subscription.Start;
import io.metaq.state.subscription.Subscription;
import io.metaq.state.subscription.SubscriptionInfo;
import io.metaq.state.subscription.SubscriptionInfo.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class TemporaryTopicsTest {
    private static final long FIRST_ID = 1L << 52;
    private static final long LIMIT = 1 << 20;

    private final TemporaryTopics temporary = new TemporaryTopics(FIRST_ID, LIMIT);

    private Topic queue(String name) {
        return Objects.requireNonNull(temporary.create(name, Topic.Kind.QUEUE));
    }

    private Subscription subscriptionOf(String queue) {
        return Objects.requireNonNull(temporary.subscription("queue:" + queue));
    }

    @Test
    void shouldGiveAQueueASubscriptionAndNumbersOfItsOwn() throws IOException {
        Topic queue = queue("temp:a");
        assertThat(queue.temporary()).isTrue();
        assertThat(queue.id()).isNegative();
        assertThat(temporary.append(queue, messages(2), 2, 1)).isEqualTo(new TemporaryTopics.Stored(FIRST_ID, 0));
        assertThat(temporary.append(queue, messages(1), 1, 1))
                .isEqualTo(new TemporaryTopics.Stored(FIRST_ID + 2, at(2)));
        assertThat(StateFixture.ids(queue.partitions()[0].log())).containsExactly(FIRST_ID, FIRST_ID + 1, FIRST_ID + 2);
        assertThat(subscriptionOf("temp:a").depth()).isEqualTo(3);
        assertThat(temporary.create("temp:a", Topic.Kind.TOPIC)).isNull();
        assertThatIllegalArgumentException().isThrownBy(() -> temporary.create("a", Topic.Kind.TOPIC));
    }

    @Test
    void shouldLetGoOfItsMemoryAsMessagesAreAcknowledged() {
        Topic queue = queue("temp:a");
        Subscription subscription = subscriptionOf("temp:a");
        for (int i = 0; i < 10_000; i++) {
            temporary.append(queue, messages(10), 10, 1);
            assertThat(subscription.cursor(0).acknowledge(at(10 * i), at(10 * i + 10), 10))
                    .isEqualTo(10);
            temporary.trim(queue);
            assertThat(temporary.bytes()).isLessThanOrEqualTo(2_048);
        }
        assertThat(subscription.depth()).isZero();
    }

    @Test
    void shouldKeepWhatOneOfItsSubscriptionsHasNotAcknowledged() throws IOException {
        Topic topic = Objects.requireNonNull(temporary.create("temp:t", Topic.Kind.TOPIC));
        Subscription fast =
                topic.subscribe(new SubscriptionInfo("f", topic.id(), Kind.TRANSIENT, null, null), Start.LAST);
        Subscription slow =
                topic.subscribe(new SubscriptionInfo("s", topic.id(), Kind.TRANSIENT, null, null), Start.LAST);
        for (int i = 0; i < 100; i++) {
            temporary.append(topic, messages(10), 10, 1);
        }
        fast.cursor(0).acknowledge(0, at(1_000), 1_000);
        temporary.trim(topic);
        assertThat(slow.depth()).isEqualTo(1_000);
        assertThat(topic.partitions()[0].log().startOffset()).isZero();
        topic.unsubscribe(slow);
        temporary.trim(topic);
        assertThat(temporary.bytes()).isZero();
    }

    @Test
    void shouldKeepNothingThatNobodyCanRead() {
        Topic topic = Objects.requireNonNull(temporary.create("temp:t", Topic.Kind.TOPIC));
        temporary.append(topic, messages(10), 10, 1);
        assertThat(temporary.bytes()).isZero();
        assertThat(topic.partitions()[0].log().endOffset()).isEqualTo(at(10));
    }

    @Test
    void shouldSayWhenItIsFullUntilMessagesWereConsumed() {
        Topic queue = queue("temp:a");
        int batches = 0;
        while (!temporary.full()) {
            temporary.append(queue, messages(100), 100, 1);
            batches++;
        }
        assertThat(temporary.bytes()).isGreaterThanOrEqualTo(LIMIT);
        subscriptionOf("temp:a").cursor(0).acknowledge(0, at(100 * batches), 100 * batches);
        temporary.trim(queue);
        assertThat(temporary.full()).isFalse();
    }

    @Test
    void shouldLeaveNothingBehindWhenDeleted() {
        List<String> woken = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            String name = "temp:" + i;
            Topic queue = queue(name);
            Subscription subscription = subscriptionOf(name);
            temporary.append(queue, messages(1), 1, 1);
            queue.partitions()[0].onAdvance(at(1), () -> woken.add(name));
            assertThat(temporary.delete(name)).isTrue();
            assertThat(temporary.delete(name)).isFalse();
            assertThat(subscription.gone()).isTrue();
            assertThat(temporary.append(queue, messages(1), 1, 1)).isNull();
        }
        assertThat(woken).hasSize(20_000);
        assertThat(temporary.count()).isZero();
        assertThat(temporary.bytes()).isZero();
        assertThat(temporary.topic("temp:7")).isNull();
        assertThat(temporary.subscription("queue:temp:7")).isNull();
    }

    @Test
    void shouldTakeMessagesFromManyThreads() throws Exception {
        Topic queue = queue("temp:a");
        CountDownLatch done = new CountDownLatch(4);
        for (int t = 0; t < 4; t++) {
            new Thread(() -> {
                        for (int i = 0; i < 500; i++) {
                            temporary.append(queue, messages(2), 2, 1);
                        }
                        done.countDown();
                    })
                    .start();
        }
        done.await();
        assertThat(StateFixture.ids(queue.partitions()[0].log())).hasSize(4_000).doesNotHaveDuplicates();
        assertThat(subscriptionOf("temp:a").depth()).isEqualTo(4_000);
    }
}
