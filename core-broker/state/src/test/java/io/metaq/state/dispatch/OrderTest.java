package io.metaq.state.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.message.BodyKind;
import io.metaq.message.HeaderField;
import io.metaq.message.MessageBody;
import io.metaq.message.PropertyBlock;
import io.metaq.message.PropertyBlockWriter;
import io.metaq.state.Topic;
import io.metaq.state.record.Change;
import io.metaq.state.subscription.Start;
import io.metaq.state.subscription.SubscriptionInfo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Priorities, delays, expiry, groups, dead letters. */
class OrderTest {
    @TempDir
    private Path dir;

    private World world;
    private final Mailbox a = new Mailbox();
    private final Mailbox b = new Mailbox();
    private final List<String> answers = new ArrayList<>();

    @BeforeEach
    void setUp() throws IOException {
        world = new World(dir);
    }

    private Subscriber attach(Mailbox mailbox, int credit) {
        Subscriber subscriber = world.dispatch().attach(mailbox, null);
        world.dispatch().credit(subscriber, credit, 1 << 20);
        world.run();
        return subscriber;
    }

    private void ack(Subscriber subscriber, ClaimedRanges ranges) {
        world.dispatch().acknowledge(subscriber, ranges, AckAnswer.NONE);
        world.run();
    }

    @Test
    void shouldLetHigherPrioritiesOvertakeAndLowerOnesWait() {
        world.send("low", World.priority(1));
        world.send("1");
        world.send("high", World.priority(9));
        world.send("2");
        world.send("higher 1", World.priority(7));
        world.send("higher 2", World.priority(7));
        attach(a, 100);
        assertThat(a.texts()).containsExactly("high", "higher 1", "higher 2", "1", "2", "low");
    }

    @Test
    void shouldDeliverContiguousOnesOfAPriorityTogether() {
        world.sendMany(100, i -> World.message("m" + i, World.priority(8)));
        attach(a, 100);
        assertThat(a.got).hasSize(100);
        assertThat(a.runs).isLessThan(5);
    }

    @Test
    void shouldBringAReturnedMessageBeforeLaterOnesOfItsPriority() {
        world.send("h1", World.priority(8));
        world.send("1");
        world.send("h2", World.priority(8));
        Subscriber subscriber = attach(a, 1);
        world.dispatch().reject(subscriber, a.last().range(), -1, false);
        world.dispatch().credit(subscriber, 10, 1000);
        world.run();
        assertThat(a.counted()).isEqualTo("h1:1 h1:2 h2:1 1:1");
    }

    @Test
    void shouldNeverDeliverEarlyAndThenInItsPlace() {
        world.send("late", world.delay(1000));
        world.send("1");
        world.send("later", world.delay(2000));
        Subscriber subscriber = attach(a, 1);
        world.send("2");
        world.send("3");
        world.advance(999);
        assertThat(a.texts()).containsExactly("1");
        world.advance(1);
        world.dispatch().credit(subscriber, 1, 1000);
        world.run();
        assertThat(a.texts()).containsExactly("1", "late");
        world.dispatch().credit(subscriber, 10, 1000);
        world.advance(999);
        assertThat(a.texts()).containsExactly("1", "late", "2", "3");
        world.advance(1);
        assertThat(a.texts()).containsExactly("1", "late", "2", "3", "later");
    }

    @Test
    void shouldHoldDelayedMessagesBackFromAConsumerThatComesLater() {
        world.send("late", world.delay(1000));
        attach(a, 10);
        Mailbox other = new Mailbox();
        Subscriber selecting = world.dispatch().attach(other, World.selector("x is null"));
        world.dispatch().credit(selecting, 10, 1000);
        world.advance(999);
        assertThat(a.got).isEmpty();
        assertThat(other.got).isEmpty();
        world.advance(1);
        assertThat(a.got.size() + other.got.size()).isEqualTo(1);
    }

    @Test
    void shouldDropWhatIsExpired() {
        world.send("old", world.expiresIn(100));
        world.send("fresh", world.expiresIn(200));
        world.nowMs += 100;
        attach(a, 10);
        assertThat(a.texts()).containsExactly("fresh");
        assertThat(world.subscription().depth()).isEqualTo(1);
        assertThat(world.expired).isEqualTo(1);
    }

    @Test
    void shouldMoveWhatIsExpiredToItsQueue() {
        world.change(new Change.TopicCreated("OLD", 1, Map.of(Topic.KIND, "queue")));
        world.policy = new RedeliveryPolicy(0, 0, 1, 0, null, "OLD");
        world.send("old", world.expiresIn(100));
        world.nowMs += 100;
        attach(a, 10);
        assertThat(world.subscription().depth()).isZero();
        assertThat(Objects.requireNonNull(world.state.subscription("queue:OLD")).depth())
                .isEqualTo(1);
    }

    @Test
    void shouldGiveUpWhatFailedTooOftenAndSayWhy() {
        world.change(new Change.TopicCreated("DLQ", 1, Map.of(Topic.KIND, "queue")));
        world.policy = new RedeliveryPolicy(2, 0, 1, 0, "DLQ", null);
        world.send("bad", world.expiresIn(100_000).property("color", "red"));
        Subscriber subscriber = attach(a, 10);
        world.dispatch().reject(subscriber, a.last().range(), -1, false);
        world.run();
        world.dispatch().reject(subscriber, a.last().range(), -1, false);
        world.run();
        assertThat(a.counted()).isEqualTo("bad:1 bad:2");
        assertThat(world.subscription().depth()).isZero();
        assertThat(subscriber.leases).isEmpty();

        ByteBuffer copy = world.moves.get(0).message();
        int flag = copy.getInt(16);
        ByteBuffer body = copy.slice(20, copy.getInt(0));
        PropertyBlock properties = Objects.requireNonNull(PropertyBlock.ofBody(flag, body));
        assertThat(properties.property(DeadLetter.REASON)).isEqualTo("delivered 2 times without success");
        assertThat(properties.property(DeadLetter.ORIGINAL_DESTINATION)).isEqualTo("queue://Q");
        assertThat(properties.property(DeadLetter.DELIVERIES)).isEqualTo(2);
        assertThat(properties.property("color")).isEqualTo("red");
        assertThat(properties.header(HeaderField.EXPIRATION)).isNull();
        assertThat(StandardCharsets.UTF_8
                        .decode(MessageBody.payload(flag, body))
                        .toString())
                .isEqualTo("bad");
    }

    @Test
    void shouldKeepMessagesWithoutPropertiesWhatTheyAre() {
        world.change(new Change.TopicCreated("DLQ", 1, Map.of(Topic.KIND, "queue")));
        world.policy = new RedeliveryPolicy(1, 0, 1, 0, "DLQ", null);
        world.send("plain");
        Subscriber subscriber = attach(a, 10);
        world.dispatch().reject(subscriber, a.last().range(), -1, false);
        world.run();
        ByteBuffer copy = world.moves.get(0).message();
        int flag = copy.getInt(16);
        ByteBuffer body = copy.slice(20, copy.getInt(0));
        assertThat(BodyKind.of(Objects.requireNonNull(PropertyBlock.ofBody(flag, body))))
                .isEqualTo(BodyKind.BYTES);
        ByteBuffer restored = DeadLetter.restored(flag, body);
        assertThat(restored.getInt(16)).isZero();
        assertThat(StandardCharsets.UTF_8
                        .decode(restored.slice(20, restored.getInt(0)))
                        .toString())
                .isEqualTo("plain");
    }

    @Test
    void shouldNotLetADeadLetterThatCannotBeMovedHoldUpTheQueue() {
        world.policy = new RedeliveryPolicy(1, 0, 1, 0, "DLQ", null);
        world.send("bad");
        Subscriber subscriber = attach(a, 10);
        world.dispatch().reject(subscriber, a.last().range(), -1, false);
        world.send("1");
        world.run();
        assertThat(a.counted()).isEqualTo("bad:1 1:1");
        world.advance(5_000);
        assertThat(a.got).hasSize(2);
        assertThat(world.moves.size()).isBetween(2, 7);
        world.change(new Change.TopicCreated("DLQ", 1, Map.of(Topic.KIND, "queue")));
        world.advance(1_000);
        ack(subscriber, a.last().range());
        assertThat(world.subscription().depth()).isZero();
    }

    @Test
    void shouldNotFloodAQueueThatTakesNoDeadLetters() {
        world.policy = new RedeliveryPolicy(1, 0, 1, 0, "DLQ", null);
        world.sendMany(10_000, i -> World.message("m" + i, new PropertyBlockWriter()));
        Subscriber subscriber = attach(a, 10_000);
        world.dispatch().reject(subscriber, a.all(), -1, false);
        world.send("good");
        world.run();
        world.advance(60_000);
        assertThat(world.moves.size()).isLessThan(64 * 70);
        world.dispatch().credit(subscriber, 10, 1000);
        world.run();
        assertThat(a.last().text()).isEqualTo("good");
        world.change(new Change.TopicCreated("DLQ", 1, Map.of(Topic.KIND, "queue")));
        world.advance(2_000);
        assertThat(world.subscription().depth()).isEqualTo(1);
        assertThat(Objects.requireNonNull(world.state.subscription("queue:DLQ")).depth())
                .isEqualTo(10_000);
    }

    @Test
    void shouldGiveUpAfterARestartWhatFailedTooOftenBefore() {
        world.change(new Change.TopicCreated("DLQ", 1, Map.of(Topic.KIND, "queue")));
        world.send("bad");
        Subscriber subscriber = attach(a, 10);
        for (int i = 0; i < 3; i++) {
            world.dispatch().reject(subscriber, a.last().range(), 1_000, false);
            world.advance(1_000);
        }
        world.policy = new RedeliveryPolicy(3, 0, 1, 0, "DLQ", null);
        world.anew();
        attach(b, 10);
        assertThat(b.got).isEmpty();
        assertThat(world.subscription().depth()).isZero();
    }

    @Test
    void shouldLeaveExpiredMessagesWhoseQueueTakesNothing() {
        world.policy = new RedeliveryPolicy(0, 0, 1, 0, null, "OLD");
        long expiryMs = world.nowMs + 100;
        world.sendMany(
                20_000,
                i -> World.message("m" + i, new PropertyBlockWriter().header(HeaderField.EXPIRATION, expiryMs)));
        world.nowMs += 100;
        world.send("good");
        attach(a, 10);
        assertThat(a.texts()).containsExactly("good");
        world.change(new Change.TopicCreated("OLD", 1, Map.of(Topic.KIND, "queue")));
        ExpirySweep sweep = new ExpirySweep();
        for (int i = 0; i < 60; i++) {
            world.dispatch().sweep(sweep);
            world.advance(1_000);
        }
        assertThat(world.subscription().depth()).isEqualTo(1);
    }

    @Test
    void shouldKeepDeadLettersOfTheDeadLetterQueue() {
        world.policy = new RedeliveryPolicy(1, 0, 1, 0, "Q", null);
        world.send("bad");
        Subscriber subscriber = attach(a, 10);
        world.dispatch().reject(subscriber, a.last().range(), -1, true);
        world.run();
        assertThat(a.counted()).isEqualTo("bad:1 bad:2");
        assertThat(world.moves).isEmpty();
    }

    @Test
    void shouldBuryManyWithFewAtOnce() {
        world.change(new Change.TopicCreated("DLQ", 1, Map.of(Topic.KIND, "queue")));
        world.policy = new RedeliveryPolicy(1, 0, 1, 0, "DLQ", null);
        world.sendMany(1000, i -> World.message("m" + i, new PropertyBlockWriter()));
        Subscriber subscriber = attach(a, 1000);
        world.holdJournal();
        world.dispatch().reject(subscriber, a.all(), -1, false);
        world.run();
        assertThat(world.moves.size()).isLessThan(100);
        world.releaseJournal();
        assertThat(world.moves).hasSize(1000);
        assertThat(world.subscription().depth()).isZero();
    }

    @Test
    void shouldKeepAGroupWithOneConsumerInOrder() {
        Subscriber first = attach(a, 1);
        Subscriber second = attach(b, 100);
        for (int i = 0; i < 5; i++) {
            world.send("g" + i, World.group("g"));
            world.send("h" + i, World.group("h"));
        }
        world.run();
        Mailbox has = a.texts().contains("g0") ? a : b;
        assertThat(b.texts()).hasSizeGreaterThanOrEqualTo(5);
        world.dispatch().credit(first, 100, 1000);
        world.run();
        assertThat(has.texts()).containsSubsequence("g0", "g1", "g2", "g3", "g4");
        assertThat(a.got.size() + b.got.size()).isEqualTo(10);
        assertThat(second.leases).isNotEmpty();
    }

    @Test
    void shouldLetOthersPassMessagesOfAGroupWhoseConsumerHasNoCredit() {
        world.send("g0", World.group("g"));
        Subscriber first = attach(a, 1);
        world.send("g1", World.group("g"));
        world.send("g2", World.group("g"));
        world.send("other");
        attach(b, 10);
        assertThat(b.texts()).containsExactly("other");
        world.dispatch().credit(first, 1, 1000);
        world.run();
        assertThat(a.texts()).containsExactly("g0", "g1");
        world.dispatch().lost(first);
        world.run();
        assertThat(b.counted()).isEqualTo("other:1 g0:2 g1:2 g2:1");
    }

    @Test
    void shouldFindParkedMessagesThatDidNotFit() {
        world.send("first", World.group("g"));
        Subscriber owner = attach(a, 1);
        int many = Subscriber.MOST_PARKED + 100;
        world.sendMany(many, i -> World.message(Integer.toString(i), World.group("g")));
        world.send("other");
        attach(b, 10);
        assertThat(b.texts()).containsExactly("other");
        world.dispatch().credit(owner, many, Integer.MAX_VALUE);
        world.run();
        assertThat(a.got).hasSize(many + 1);
        for (int i = 0; i < many; i++) {
            assertThat(a.got.get(i + 1).text()).isEqualTo(Integer.toString(i));
        }
    }

    @Test
    void shouldAcknowledgeWhatATopicSubscriptionDoesNotTake() throws IOException {
        world.change(new Change.TopicCreated("T", 1, Map.of()));
        Topic topic = Objects.requireNonNull(world.state.topic("T"));
        world.change(new Change.SubscriptionCreated(
                new SubscriptionInfo("d", topic.id(), SubscriptionInfo.Kind.DURABLE, "n > 1", "me"), Start.LAST));
        world.dispatch("d");
        Subscriber subscriber = attach(a, 10);
        world.send("1", World.property("n", 1));
        world.send("2", World.property("n", 2));
        world.send("mine", World.property("n", 3).header(HeaderField.ORIGIN, "me"));
        world.send("3", World.property("n", 3).header(HeaderField.ORIGIN, "you"));
        world.run();
        assertThat(a.texts()).containsExactly("2", "3");
        world.advance(2_000);
        assertThat(world.subscription().depth()).isEqualTo(2);
        ack(subscriber, a.all());
        assertThat(world.subscription().depth()).isZero();
        assertThat(world.subscription().cursor(0).floor())
                .isEqualTo(topic.partitions()[0].log().endOffset());
    }

    @Test
    void shouldGiveGroupsOfAClosedConsumerToConsumersWithOtherSelectors() {
        world.send("g0", World.group("g").property("n", 1));
        Subscriber first = attach(a, 1);
        world.send("g1", World.group("g").property("n", 1));
        Subscriber selecting = world.dispatch().attach(b, World.selector("n = 1"));
        world.dispatch().credit(selecting, 10, 1000);
        world.run();
        assertThat(b.got).isEmpty();
        ack(first, a.all());
        world.dispatch().detach(first, ClaimedRanges.NONE);
        world.run();
        assertThat(b.texts()).containsExactly("g1");
    }
}
