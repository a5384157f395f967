package io.metaq.state;

import static io.metaq.state.StateFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.state.record.Change;
import io.metaq.state.subscription.MessageRanges;
import io.metaq.state.subscription.Start;
import io.metaq.state.subscription.Subscription;
import io.metaq.state.subscription.SubscriptionInfo;
import io.metaq.state.subscription.SubscriptionInfo.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubscriptionStateTest {
    @TempDir
    Path dir;

    private StateFixture fixture;

    @BeforeEach
    void found() throws IOException {
        fixture = StateFixture.founded(dir);
    }

    private Outcome subscribe(String name, Topic topic, Start start) throws IOException {
        return fixture.change(new Change.SubscriptionCreated(
                new SubscriptionInfo(name, topic.id(), Kind.DURABLE, "a > 1", "c1"), start));
    }

    private static void assertRefused(Outcome outcome, Refusal reason) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(reason));
    }

    @Test
    void shouldGiveAQueueItsOneSubscription() throws IOException {
        Topic queue = fixture.queue("q");
        assertThat(queue.kind()).isEqualTo(Topic.Kind.QUEUE);
        Subscription subscription = fixture.subscription("queue:q");
        assertThat(subscription.info()).isEqualTo(SubscriptionInfo.ofQueue("q", queue.id()));
        fixture.put(queue, 0, 3);
        assertThat(subscription.depth()).isEqualTo(3);
        assertRefused(subscribe("another", queue, queue.first()), Refusal.INVALID);
        assertRefused(fixture.change(new Change.SubscriptionDeleted("queue:q")), Refusal.INVALID);
    }

    @Test
    void shouldRefuseASubscriptionThatCannotBe() throws IOException {
        Topic topic = fixture.create("t", 1, Map.of());
        assertThat(topic.kind()).isEqualTo(Topic.Kind.TOPIC);
        assertThat(subscribe("s", topic, topic.first())).isEqualTo(Outcome.DONE);
        assertRefused(subscribe("s", topic, topic.first()), Refusal.EXISTS);
        assertRefused(subscribe("queue:t", topic, topic.first()), Refusal.INVALID);
        assertRefused(subscribe("far", topic, Start.at(List.of(new Start.Position(0, 25, 1)))), Refusal.INVALID);
        assertRefused(subscribe("first", topic, Start.FIRST), Refusal.INVALID);
        assertRefused(subscribe("nowhere", topic, Start.at(List.of())), Refusal.INVALID);
        fixture.change(new Change.TopicDeleted("t"));
        assertRefused(subscribe("u", topic, topic.first()), Refusal.UNKNOWN_TOPIC);
        assertRefused(fixture.change(new Change.SubscriptionPurged("s")), Refusal.UNKNOWN_SUBSCRIPTION);
        assertRefused(fixture.change(new Change.TopicCreated("temp:x", 1, Map.of())), Refusal.INVALID);
    }

    @Test
    void shouldNotLetATopicBecomeAQueue() throws IOException {
        fixture.create("t", 1, Map.of());
        assertRefused(fixture.change(new Change.TopicAltered("t", 0, Map.of(Topic.KIND, "queue"))), Refusal.INVALID);
        assertThat(fixture.state.subscription("queue:t")).isNull();
    }

    @Test
    void shouldBeginWhereAsked() throws IOException {
        Topic topic = fixture.create("t", 2, Map.of());
        fixture.put(topic, 0, 4);
        fixture.put(topic, 1, 2);
        subscribe("first", topic, topic.first());
        subscribe("last", topic, Start.LAST);
        subscribe("at", topic, Start.at(List.of(new Start.Position(0, at(3), 3), new Start.Position(1, 0, 0))));
        assertThat(fixture.subscription("first").depth()).isEqualTo(6);
        assertThat(fixture.subscription("last").depth()).isZero();
        assertThat(fixture.subscription("at").depth()).isEqualTo(3);
        fixture.put(topic, 0, 1);
        assertThat(fixture.subscription("last").depth()).isEqualTo(1);
    }

    @Test
    void shouldGrowWithItsTopic() throws IOException {
        Topic topic = fixture.create("t", 1, Map.of());
        subscribe("s", topic, Start.LAST);
        Subscription transientOne =
                topic.subscribe(new SubscriptionInfo("x", topic.id(), Kind.TRANSIENT, null, null), Start.LAST);
        fixture.change(new Change.TopicAltered("t", 3, Map.of()));
        fixture.put(topic, 2, 5);
        assertThat(fixture.subscription("s").depth()).isEqualTo(5);
        assertThat(transientOne.depth()).isEqualTo(5);
    }

    @Test
    void shouldCountAnAcknowledgementOnceAndOnlyWhatIsThere() throws IOException {
        Topic queue = fixture.queue("q");
        fixture.put(queue, 0, 10);
        Subscription subscription = fixture.subscription("queue:q");
        assertThat(fixture.acknowledge(subscription, 0, 2, 5)).isEqualTo(3);
        assertThat(fixture.acknowledge(subscription, 0, 2, 5)).isZero();
        assertThat(fixture.acknowledge(subscription, 0, 5, 1_000)).isLessThanOrEqualTo(5);
        assertThat(fixture.acknowledge(subscription, 7, 0, 5)).isZero();
        assertThat(fixture.acknowledge(99, MessageRanges.of(0, 0, 25, 1))).isZero();
        assertThat(subscription.cursor(0).nextPending(at(2))).isEqualTo(at(10));
        fixture.acknowledge(subscription, 0, 0, 2);
        assertThat(subscription.depth()).isZero();
        assertThat(subscription.cursor(0).floor()).isEqualTo(at(10));
    }

    @Test
    void shouldNeverCountBelowNothing() throws IOException {
        Topic queue = fixture.queue("q");
        fixture.put(queue, 0, 4);
        Subscription subscription = fixture.subscription("queue:q");
        fixture.acknowledge(subscription.id(), MessageRanges.of(0, 0, at(2), 400));
        assertThat(subscription.depth()).isZero();
        fixture.acknowledge(subscription, 0, 2, 4);
        // Nothing is pending: from here on the count is right again.
        fixture.put(queue, 0, 3);
        assertThat(subscription.depth()).isEqualTo(3);
    }

    @Test
    void shouldForgetWhatWasAcknowledgedAfterASeek() throws IOException {
        Topic topic = fixture.create("t", 1, Map.of());
        fixture.put(topic, 0, 10);
        subscribe("s", topic, topic.first());
        Subscription subscription = fixture.subscription("s");
        fixture.acknowledge(subscription, 0, 0, 4);
        fixture.acknowledge(subscription, 0, 6, 7);
        fixture.change(new Change.Returned(subscription.id(), 0, List.of(new Change.ReturnedMessage(at(5), 0))));
        long before = topic.partitions()[0].log().messagesBefore(at(2));
        assertThat(before).isEqualTo(2);
        fixture.change(new Change.SubscriptionMoved("s", Start.at(List.of(new Start.Position(0, at(2), before)))));
        assertThat(subscription.depth()).isEqualTo(8);
        assertThat(subscription.cursor(0).deliveries(at(5))).isZero();
        assertThat(subscription.cursor(0).nextPending(at(6))).isEqualTo(at(6));
        assertThat(fixture.observed)
                .contains(new Change.SubscriptionMoved("s", Start.at(List.of(new Start.Position(0, at(2), 2)))));
    }

    @Test
    void shouldHaveNothingPendingAfterAPurge() throws IOException {
        Topic queue = fixture.queue("q");
        fixture.put(queue, 0, 10);
        Subscription subscription = fixture.subscription("queue:q");
        fixture.acknowledge(subscription, 0, 3, 4);
        fixture.change(new Change.SubscriptionPurged("queue:q"));
        assertThat(subscription.depth()).isZero();
        assertThat(fixture.acknowledge(subscription, 0, 4, 6)).isZero();
        fixture.put(queue, 0, 2);
        assertThat(subscription.depth()).isEqualTo(2);
        assertThat(subscription.cursor(0).nextPending(0)).isEqualTo(at(10));
    }

    @Test
    void shouldCountReturnsOfPendingMessagesOnly() throws IOException {
        Topic queue = fixture.queue("q");
        fixture.put(queue, 0, 4);
        Subscription subscription = fixture.subscription("queue:q");
        fixture.acknowledge(subscription, 0, 0, 1);
        Change returned = new Change.Returned(
                subscription.id(),
                0,
                List.of(
                        new Change.ReturnedMessage(at(0), 0),
                        new Change.ReturnedMessage(at(1), 7_000),
                        new Change.ReturnedMessage(at(4), 0)));
        fixture.change(returned);
        fixture.change(returned);
        assertThat(subscription.cursor(0).returnedCount()).isEqualTo(1);
        assertThat(subscription.cursor(0).deliveries(at(1))).isEqualTo(2);
        assertThat(subscription.cursor(0).notBefore(at(1))).isEqualTo(7_000);
    }

    @Test
    void shouldGoWithItsTopicAndSaySo() throws IOException {
        Topic topic = fixture.create("t", 1, Map.of());
        subscribe("s", topic, topic.first());
        Subscription subscription = fixture.subscription("s");
        fixture.queue("q");
        fixture.change(new Change.TopicDeleted("t"));
        fixture.change(new Change.TopicDeleted("q"));
        assertThat(subscription.gone()).isTrue();
        assertThat(fixture.state.subscriptions()).isEmpty();
        assertThat(fixture.observed)
                .contains(new Change.SubscriptionDeleted("s"), new Change.SubscriptionDeleted("queue:q"));
        // One of the same name is another one: what was meant for the first does not reach it.
        Topic next = fixture.create("t", 1, Map.of());
        fixture.put(next, 0, 2);
        subscribe("s", next, next.first());
        fixture.acknowledge(subscription, 0, 0, 2);
        assertThat(fixture.subscription("s").depth()).isEqualTo(2);
    }

    @Test
    void shouldKeepAPauseUntilItIsTakenBack() throws IOException {
        fixture.queue("q");
        fixture.change(new Change.SubscriptionPaused("queue:q", true));
        assertThat(fixture.subscription("queue:q").paused()).isTrue();
        fixture.change(new Change.SubscriptionPaused("queue:q", false));
        assertThat(fixture.subscription("queue:q").paused()).isFalse();
    }

    @Test
    void shouldKeepWhatADurableSubscriptionHasNotAcknowledgedWhoeverTrims() throws IOException {
        Topic topic = fixture.create("t", 1, Map.of());
        subscribe("s", topic, topic.first());
        for (int i = 0; i < 10; i++) {
            fixture.put(topic, 0, 60);
        }
        Subscription subscription = fixture.subscription("s");
        Partition partition = topic.partitions()[0];
        fixture.change(new Change.PartitionTrimmed(topic.id(), 0, at(600), Change.Disposal.DELETE));
        assertThat(partition.log().startOffset()).isZero();
        fixture.acknowledge(subscription, 0, 0, 300);
        fixture.change(new Change.PartitionTrimmed(topic.id(), 0, at(600), Change.Disposal.DELETE));
        assertThat(partition.log().startOffset()).isPositive().isLessThanOrEqualTo(at(300));
        assertThat(subscription.depth()).isEqualTo(300);
        assertThat(fixture.state.floor(topic, 0)).isEqualTo(at(300));
        fixture.change(new Change.SubscriptionDeleted("s"));
        fixture.change(new Change.PartitionTrimmed(topic.id(), 0, at(600), Change.Disposal.DELETE));
        assertThat(partition.log().startOffset()).isEqualTo(at(600));
    }

    @Test
    void shouldCountForATransientSubscriptionWhatRetentionLeft() throws IOException {
        Topic topic = fixture.create("t", 1, Map.of());
        Subscription one =
                topic.subscribe(new SubscriptionInfo("x", topic.id(), Kind.TRANSIENT, null, null), Start.LAST);
        for (int i = 0; i < 10; i++) {
            fixture.put(topic, 0, 60);
        }
        assertThat(one.depth()).isEqualTo(600);
        fixture.change(new Change.PartitionTrimmed(topic.id(), 0, at(600), Change.Disposal.DELETE));
        assertThat(one.depth()).isZero();
        assertThat(one.cursor(0).nextPending(0)).isEqualTo(at(600));
        fixture.put(topic, 0, 2);
        assertThat(one.depth()).isEqualTo(2);
    }
}
