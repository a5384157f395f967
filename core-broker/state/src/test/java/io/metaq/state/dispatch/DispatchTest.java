package io.metaq.state.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.log.partition.MessageLog;
import io.metaq.message.PropertyBlockWriter;
import io.metaq.state.record.Change;
import io.metaq.state.subscription.Start;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DispatchTest {
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

    private void send(String... texts) {
        for (String text : texts) {
            world.send(text);
        }
    }

    private void ack(Subscriber subscriber, ClaimedRanges ranges) {
        world.dispatch()
                .acknowledge(
                        subscriber,
                        ranges,
                        (done, missed, failure) -> answers.add(done + "/" + missed + (failure == null ? "" : "!")));
    }

    @Test
    void shouldDeliverInRunsWhatWasThereAndWhatComes() {
        send("1", "2", "3");
        Subscriber subscriber = world.dispatch().attach(a, null);
        world.run();
        assertThat(a.got).isEmpty();

        world.dispatch().credit(subscriber, 10, 1000);
        world.run();
        assertThat(a.counted()).isEqualTo("1:1 2:1 3:1");
        assertThat(a.runs).isEqualTo(1);

        send("4");
        world.run();
        assertThat(a.texts()).containsExactly("1", "2", "3", "4");
    }

    @Test
    void shouldStopWhereCreditEndsInMessagesOrBytes() {
        send("1", "2", "3", "4", "5");
        Subscriber first = world.dispatch().attach(a, null);
        world.dispatch().credit(first, 2, 1000);
        world.run();
        assertThat(a.texts()).containsExactly("1", "2");

        Subscriber second = world.dispatch().attach(b, null);
        world.dispatch().credit(second, 10, 22);
        world.run();
        assertThat(b.texts()).containsExactly("3", "4");
    }

    @Test
    void shouldShareABacklogAmongConsumers() {
        world.sendMany(100, i -> World.message("m" + i, new PropertyBlockWriter()));
        Subscriber first = world.dispatch().attach(a, null);
        Subscriber second = world.dispatch().attach(b, null);
        world.dispatch().credit(first, 100, 100_000);
        world.dispatch().credit(second, 100, 100_000);
        world.run();
        assertThat(a.got.size() + b.got.size()).isEqualTo(100);
        assertThat(a.got.size()).isBetween(30, 70);
    }

    @Test
    void shouldAcknowledgeOneTurnInOneRecord() {
        send("1", "2", "3");
        Subscriber subscriber = world.dispatch().attach(a, null);
        world.dispatch().credit(subscriber, 10, 1000);
        world.run();
        ack(subscriber, a.got.get(1).range());
        ack(subscriber, a.got.get(0).range());
        ack(subscriber, a.got.get(2).range());
        world.run();
        assertThat(answers).containsExactly("1/0", "1/0", "1/0");
        assertThat(world.acknowledgeRecords).isEqualTo(1);
        assertThat(world.subscription().depth()).isZero();
        assertThat(world.subscription().cursor(0).floor())
                .isEqualTo(a.got.get(2).to());
        assertThat(subscriber.leases).isEmpty();
    }

    @Test
    void shouldMissWhatIsAnothersOrAcknowledgedAlready() {
        send("1", "2");
        Subscriber first = world.dispatch().attach(a, null);
        Subscriber second = world.dispatch().attach(b, null);
        world.dispatch().credit(first, 1, 1000);
        world.run();
        world.dispatch().credit(second, 1, 1000);
        world.run();
        ack(second, a.got.get(0).range());
        ack(first, a.got.get(0).range());
        world.run();
        ack(first, a.got.get(0).range());
        world.run();
        assertThat(answers).containsExactly("0/1", "1/0", "0/1");
        assertThat(world.subscription().depth()).isEqualTo(1);
    }

    @Test
    void shouldAcknowledgeWhatNobodyHasAfterAReconnect() {
        send("1", "2", "3");
        Subscriber first = world.dispatch().attach(a, null);
        world.dispatch().credit(first, 2, 1000);
        world.run();
        world.dispatch().lost(first);
        Subscriber again = world.dispatch().attach(b, null);
        ack(again, a.all());
        world.run();
        assertThat(answers).containsExactly("2/0");
        world.dispatch().credit(again, 10, 1000);
        world.run();
        assertThat(b.counted()).isEqualTo("3:1");
    }

    @Test
    void shouldRefuseARangeThatCutsMessages() {
        send("1", "22222", "3");
        Subscriber subscriber = world.dispatch().attach(a, null);
        world.dispatch().credit(subscriber, 1, 1000);
        world.run();
        ack(subscriber, visitor -> visitor.range(0, 5, 21));
        ack(subscriber, visitor -> visitor.range(0, 25, 46));
        ack(subscriber, visitor -> visitor.range(7, 0, 46));
        world.run();
        assertThat(answers).containsExactly("0/1", "0/1", "0/1");
        assertThat(world.subscription().depth()).isEqualTo(3);
    }

    @Test
    void shouldKeepALeaseWhenTheJournalTakesNothing() {
        send("1");
        Subscriber subscriber = world.dispatch().attach(a, null);
        world.dispatch().credit(subscriber, 5, 1000);
        world.run();
        world.journalFails = true;
        ack(subscriber, a.all());
        world.run();
        world.journalFails = false;
        ack(subscriber, a.all());
        world.run();
        assertThat(answers).containsExactly("1/0!", "1/0");
        assertThat(a.got).hasSize(1);
    }

    @Test
    void shouldBringBackWhatWasRejectedBeforeLaterOnesAndCount() {
        send("1", "2", "3", "4");
        Subscriber subscriber = world.dispatch().attach(a, null);
        world.dispatch().credit(subscriber, 3, 1000);
        world.run();
        world.dispatch().reject(subscriber, a.all(), -1, false);
        world.dispatch().credit(subscriber, 10, 1000);
        world.run();
        assertThat(a.counted()).isEqualTo("1:1 2:1 3:1 1:2 2:2 3:2 4:1");
        assertThat(world.subscription().cursor(0).deliveries(0)).isEqualTo(1);
    }

    @Test
    void shouldNotCountWhatWasReleased() {
        send("1", "2");
        Subscriber first = world.dispatch().attach(a, null);
        Subscriber second = world.dispatch().attach(b, null);
        world.dispatch().credit(first, 2, 1000);
        world.run();
        world.dispatch().release(first, a.all());
        world.dispatch().credit(second, 5, 1000);
        world.run();
        assertThat(b.counted()).isEqualTo("1:1 2:1");
    }

    @Test
    void shouldCountAllOfAConsumerWhoseConnectionIsLost() {
        send("1", "2");
        Subscriber first = world.dispatch().attach(a, null);
        world.dispatch().credit(first, 2, 1000);
        world.run();
        world.dispatch().lost(first);
        Subscriber second = world.dispatch().attach(b, null);
        world.dispatch().credit(second, 5, 1000);
        world.run();
        assertThat(b.counted()).isEqualTo("1:2 2:2");
    }

    @Test
    void shouldCountOnlyTheDeliveredOfADetachedConsumer() {
        send("1", "2");
        Subscriber first = world.dispatch().attach(a, null);
        world.dispatch().credit(first, 2, 1000);
        world.run();
        world.dispatch().detach(first, a.got.get(0).range());
        Subscriber second = world.dispatch().attach(b, null);
        world.dispatch().credit(second, 5, 1000);
        world.run();
        assertThat(b.counted()).isEqualTo("1:2 2:1");
    }

    @Test
    void shouldRestRejectedMessagesForTheirDelay() {
        world.policy = new RedeliveryPolicy(0, 100, 2, 300, null, null);
        send("1");
        Subscriber subscriber = world.dispatch().attach(a, null);
        world.dispatch().credit(subscriber, 10, 1000);
        world.run();
        for (int i = 0; i < 4; i++) {
            world.dispatch().reject(subscriber, a.last().range(), -1, false);
            long delay = List.of(100L, 200L, 300L, 300L).get(i);
            world.advance(delay - 1);
            assertThat(a.got).hasSize(i + 1);
            world.advance(1);
            assertThat(a.got).hasSize(i + 2);
        }
        world.dispatch().reject(subscriber, a.last().range(), 5, false);
        world.advance(5);
        assertThat(a.last().delivery()).isEqualTo(6);
    }

    @Test
    void shouldGiveMessagesToConsumersWhoseSelectorMatches() {
        world.send("red 1", World.property("color", "red"));
        world.send("blue 1", World.property("color", "blue"));
        send("none");
        Subscriber blue = world.dispatch().attach(a, World.selector("color = 'blue'"));
        world.dispatch().credit(blue, 10, 1000);
        world.run();
        assertThat(a.texts()).containsExactly("blue 1");
        Subscriber all = world.dispatch().attach(b, null);
        world.dispatch().credit(all, 10, 1000);
        world.send("blue 2", World.property("color", "blue"));
        world.run();
        assertThat(b.texts()).startsWith("red 1", "none");
        assertThat(a.got.size() + b.got.size()).isEqualTo(4);
    }

    @Test
    void shouldFindTheOneThatMatchesBehindABacklog() {
        world.sendMany(50_000, i -> World.message("x", World.property("n", i)));
        Subscriber one = world.dispatch().attach(a, World.selector("n = 49999"));
        world.dispatch().credit(one, 1, 1000);
        world.run();
        assertThat(a.got).hasSize(1);
        Subscriber all = world.dispatch().attach(b, null);
        world.dispatch().credit(all, 100_000, 100_000_000);
        world.run();
        assertThat(b.got).hasSize(49_999);
    }

    @Test
    void shouldAnswerADrainBehindWhatIsReady() {
        send("1", "2");
        Subscriber subscriber = world.dispatch().attach(a, null);
        world.dispatch().drain(subscriber, 1, n -> answers.add("got " + n + " of " + a.got.size()));
        world.run();
        world.dispatch().drain(subscriber, 5, n -> answers.add("got " + n + " of " + a.got.size()));
        world.run();
        world.dispatch().drain(subscriber, 5, n -> answers.add("got " + n));
        world.run();
        assertThat(answers).containsExactly("got 1 of 1", "got 1 of 2", "got 0");
        send("3");
        world.run();
        assertThat(a.got).hasSize(2);
    }

    @Test
    void shouldDrainThroughABacklogThatDoesNotMatch() {
        world.sendMany(20_000, i -> World.message("y".repeat(200), World.property("n", i)));
        Subscriber subscriber = world.dispatch().attach(a, World.selector("n = 19999"));
        world.dispatch().drain(subscriber, 5, n -> answers.add("got " + n));
        world.run();
        assertThat(answers).containsExactly("got 1");
    }

    @Test
    void shouldWaitForRoomInTheConnection() {
        send("1", "2");
        Subscriber subscriber = world.dispatch().attach(a, null);
        a.writable = false;
        world.dispatch().drain(subscriber, 5, n -> answers.add("got " + n));
        world.run();
        assertThat(answers).isEmpty();
        a.writable = true;
        world.dispatch().wake();
        world.run();
        assertThat(answers).containsExactly("got 2");
    }

    @Test
    void shouldDeliverNothingAheadOfTheMark() {
        world.holdJournal();
        send("1");
        Subscriber subscriber = world.dispatch().attach(a, null);
        world.dispatch().drain(subscriber, 5, n -> answers.add("got " + n));
        world.run();
        assertThat(a.got).isEmpty();
        assertThat(answers).isEmpty();
        world.releaseJournal();
        assertThat(answers).containsExactly("got 1");
    }

    @Test
    void shouldMarkMessagesOfBeforeACrashAsDelivered() {
        send("1", "2");
        Subscriber subscriber = world.dispatch().attach(a, null);
        world.dispatch().credit(subscriber, 1, 1000);
        world.run();
        Subscriber after = world.anew().attach(b, null);
        world.send("3");
        world.dispatch().credit(after, 5, 1000);
        world.run();
        assertThat(b.counted()).isEqualTo("1:2 2:2 3:1");
    }

    @Test
    void shouldCallNothingDeliveredWhenAllIsOnRecord() {
        send("1", "2");
        Subscriber subscriber = world.dispatch().attach(a, null);
        world.dispatch().credit(subscriber, 2, 1000);
        world.run();
        world.dispatch().detach(subscriber, a.got.get(0).range());
        world.run();
        assertThat(world.dispatch().idle()).isTrue();
        assertThat(world.idle).isPositive();
        world.dispatch().close();
        world.run();
        Subscriber after = world.anew().attach(b, null);
        world.dispatch().credit(after, 5, 1000);
        world.run();
        assertThat(b.counted()).isEqualTo("1:2 2:1");
    }

    @Test
    void shouldBrowseWithoutChangingAnything() {
        send("1", "2");
        world.send("late", world.delay(1000));
        world.send("old", world.expiresIn(10));
        world.nowMs += 20;
        Subscriber consumer = world.dispatch().attach(a, null);
        world.dispatch().credit(consumer, 1, 1000);
        world.run();
        Subscriber browser = world.dispatch().browse(b, null);
        send("3");
        world.dispatch().drain(browser, 1, n -> answers.add("got " + n));
        world.run();
        world.dispatch().drain(browser, 10, n -> answers.add("got " + n));
        world.run();
        assertThat(answers).containsExactly("got 1", "got 1");
        assertThat(b.counted()).isEqualTo("1:1 2:1");
        assertThat(browser.leases).isEmpty();
    }

    @Test
    void shouldFollowASeekAndForgetLeases() throws IOException {
        send("1", "2", "3");
        Subscriber subscriber = world.dispatch().attach(a, null);
        world.dispatch().credit(subscriber, 10, 1000);
        world.run();
        ack(subscriber, a.all());
        world.run();
        world.change(new Change.SubscriptionMoved(
                "queue:Q",
                Start.firstOf(new MessageLog[] {world.topic().partitions()[0].log()})));
        world.dispatch().reset();
        world.run();
        assertThat(a.counted()).isEqualTo("1:1 2:1 3:1 1:1 2:1 3:1");
    }

    @Test
    void shouldHoldBackWhilePaused() {
        world.change(new Change.SubscriptionPaused("queue:Q", true));
        send("1");
        Subscriber subscriber = world.dispatch().attach(a, null);
        world.dispatch().credit(subscriber, 10, 1000);
        world.run();
        assertThat(a.got).isEmpty();
        world.change(new Change.SubscriptionPaused("queue:Q", false));
        world.dispatch().wake();
        world.run();
        assertThat(a.got).hasSize(1);
    }

    @Test
    void shouldHearOfMessagesAfterThePartitionWasClosedAndOpened() {
        Subscriber subscriber = world.dispatch().attach(a, null);
        world.dispatch().credit(subscriber, 10, 1000);
        world.run();
        world.change(new Change.PartitionsGated("Q", 0, 0, false, true, false));
        world.run();
        send("1");
        world.run();
        assertThat(a.got).isEmpty();
        world.change(new Change.PartitionsGated("Q", 0, 0, false, true, true));
        world.run();
        send("2");
        world.run();
        assertThat(a.texts()).containsExactly("1", "2");
    }

    @Test
    void shouldKeepCreditThatWasGivenBehindADrain() {
        Subscriber subscriber = world.dispatch().attach(a, null);
        world.holdJournal();
        send("1");
        world.dispatch().drain(subscriber, 1, n -> answers.add("got " + n));
        world.dispatch().drain(subscriber, 1, n -> answers.add("got " + n));
        world.dispatch().credit(subscriber, 1, 1000);
        world.releaseJournal();
        assertThat(answers).containsExactly("got 1", "got 0");
        send("2");
        world.run();
        assertThat(a.texts()).containsExactly("1", "2");
    }

    @Test
    void shouldDetachAllWhenTheQueueIsDeleted() {
        Subscriber subscriber = world.dispatch().attach(a, null);
        world.dispatch().credit(subscriber, 10, 1000);
        world.run();
        world.change(new Change.TopicDeleted("Q"));
        world.run();
        assertThat(a.detached).hasSize(1);
    }
}
