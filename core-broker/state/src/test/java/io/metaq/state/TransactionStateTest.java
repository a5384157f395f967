package io.metaq.state;

import static io.metaq.state.StateFixture.at;
import static io.metaq.state.StateFixture.ids;
import static io.metaq.state.StateFixture.messages;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.log.file.StorageFullException;
import io.metaq.state.record.Change;
import io.metaq.state.record.MovedRecord;
import io.metaq.state.subscription.MessageRanges;
import io.metaq.state.subscription.Subscription;
import io.metaq.testkit.storage.SimulatedStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransactionStateTest {
    @TempDir
    Path dir;

    private StateFixture fixture;
    private Topic topic;
    private Topic queue;
    private Subscription subscription;

    @BeforeEach
    void found() throws IOException {
        fixture = StateFixture.founded(dir);
        topic = fixture.create("t", 2, Map.of());
        queue = fixture.queue("q");
        subscription = fixture.subscription("queue:q");
        fixture.put(queue, 0, 10); // ids 100 to 109
    }

    private TransactionProposal.Parts parts() {
        return new TransactionProposal.Parts()
                .messages(topic.id(), 0, 2, messages(2))
                .messages(topic.id(), 1, 1, messages(1))
                .messages(queue.id(), 0, 3, messages(3))
                .acknowledge(subscription.id(), MessageRanges.of(0, at(2), at(5), 3));
    }

    private void assertUntouched() {
        assertThat(topic.partitions()[0].log().endOffset()).isZero();
        assertThat(topic.partitions()[1].log().endOffset()).isZero();
        assertThat(queue.partitions()[0].log().endOffset()).isEqualTo(at(10));
        assertThat(subscription.depth()).isEqualTo(10);
    }

    private static void assertRefused(Outcome outcome, Refusal reason) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(reason));
    }

    @Test
    void shouldTakeEffectInAllPartitionsAndSubscriptionsAtOnce() throws IOException {
        List<String> woken = new ArrayList<>();
        topic.partitions()[0].onAdvance(0, () -> woken.add("0 sees " + ids()));
        queue.partitions()[0].onAdvance(at(10), () -> woken.add("q sees " + ids()));
        assertThat(fixture.transact(0, 0, parts())).isEqualTo(Outcome.DONE);
        assertThat(woken).containsExactlyInAnyOrder("0 sees [110, 111] [112] 13", "q sees [110, 111] [112] 13");
        assertThat(StateFixture.ids(queue.partitions()[0].log())).endsWith(109L, 113L, 114L, 115L);
        assertThat(subscription.depth()).isEqualTo(10);
        assertThat(subscription.cursor(0).nextPending(at(2))).isEqualTo(at(5));
    }

    private String ids() {
        try {
            return StateFixture.ids(topic.partitions()[0].log()) + " "
                    + StateFixture.ids(topic.partitions()[1].log()) + " "
                    + StateFixture.ids(queue.partitions()[0].log()).size();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldHaveNoEffectWhenATopicIsGone() throws IOException {
        Topic gone = fixture.create("gone", 1, Map.of());
        fixture.change(new Change.TopicDeleted("gone"));
        assertRefused(fixture.transact(0, 0, parts().messages(gone.id(), 0, 1, messages(1))), Refusal.UNKNOWN_TOPIC);
        assertUntouched();
    }

    @Test
    void shouldHaveNoEffectWhenAPartitionIsClosed() throws IOException {
        fixture.change(new Change.PartitionsGated("t", 1, 1, true, false, false));
        assertRefused(fixture.transact(0, 0, parts()), Refusal.CLOSED);
        assertUntouched();
    }

    @Test
    void shouldHaveNoEffectWhenAMessageWasAcknowledgedMeanwhile() throws IOException {
        fixture.acknowledge(subscription, 0, 4, 5);
        assertRefused(fixture.transact(5, 0, parts()), Refusal.NOT_PENDING);
        assertThat(topic.partitions()[0].log().endOffset()).isZero();
        assertThat(subscription.depth()).isEqualTo(9);
        // A refused one may be proposed again.
        assertThat(fixture.transact(5, 0, new TransactionProposal.Parts().messages(topic.id(), 0, 1, messages(1))))
                .isEqualTo(Outcome.DONE);
    }

    @Test
    void shouldHaveNoEffectWhenASubscriptionIsGone() throws IOException {
        assertRefused(
                fixture.transact(0, 0, parts().acknowledge(77, MessageRanges.of(0, 0, 25, 1))),
                Refusal.UNKNOWN_SUBSCRIPTION);
        assertUntouched();
    }

    @Test
    void shouldAnswerAResendAsDoneWithoutDoingItAgain() throws IOException {
        assertThat(fixture.transact(9, 4, parts())).isEqualTo(Outcome.DONE);
        assertThat(fixture.transact(9, 4, parts())).isEqualTo(Outcome.DONE_BEFORE);
        assertThat(StateFixture.ids(topic.partitions()[0].log())).hasSize(2);
        assertThat(subscription.depth()).isEqualTo(10);
        assertRefused(fixture.transact(9, 3, parts()), Refusal.STALE_SEQUENCE);
    }

    @Test
    void shouldTakeMorePartsThanTheJournalHasBuffersFor() throws IOException {
        TransactionProposal.Parts many = new TransactionProposal.Parts();
        for (int i = 0; i < 40; i++) {
            many.messages(topic.id(), i % 2, 1 + i % 3, messages(1 + i % 3));
        }
        fixture.proposeInParts(StateFixture.transaction(0, 0, many));
        int total = StateFixture.ids(topic.partitions()[0].log()).size()
                + StateFixture.ids(topic.partitions()[1].log()).size();
        assertThat(total).isEqualTo(79);
        assertThat(StateFixture.ids(topic.partitions()[0].log())).startsWith(110L, 113L, 114L, 115L);
    }

    @Test
    void shouldTakeALargeOneFromItsParts() throws IOException {
        fixture.proposeInParts(StateFixture.transaction(0, 0, parts()));
        assertThat(ids()).isEqualTo("[110, 111] [112] 13");
        assertThat(subscription.cursor(0).nextPending(at(2))).isEqualTo(at(5));
    }

    @Test
    void shouldReachTemporaryTopicsWithTheRestOfTheBatch() throws IOException {
        Topic temporary = fixture.state.temporary().create("temp:reply", Topic.Kind.QUEUE);
        assertThat(temporary).isNotNull();
        List<String> seen = new ArrayList<>();
        topic.partitions()[0].onAdvance(
                0,
                () -> seen.add(
                        "temporary ends at " + temporary.partitions()[0].log().endOffset()));
        fixture.transact(
                0, 0, parts().messages(temporary.id(), 0, 2, messages(2)).messages(-4_000, 0, 1, messages(1)));
        assertThat(seen).containsExactly("temporary ends at " + at(2));
        // The journal's numbers do not depend on what is not in it.
        fixture.put(topic, 0, 1);
        assertThat(StateFixture.ids(topic.partitions()[0].log())).containsExactly(110L, 111L, 116L);
        assertThat(StateFixture.ids(temporary.partitions()[0].log())).doesNotContain(116L, 117L);
        assertThat(fixture.subscription("queue:temp:reply").depth()).isEqualTo(2);
    }

    @Test
    void shouldMoveAMessageOrLeaveItWhereItIs() throws IOException {
        MovedRecord first = new MovedRecord(subscription.id(), 0, at(3), at(4), 1);
        assertRefused(fixture.move(first, 4_711, 0, messages(1), 1), Refusal.UNKNOWN_TOPIC);
        assertThat(subscription.depth()).isEqualTo(10);
        assertThat(fixture.move(first, topic.id(), 0, messages(1), 1)).isEqualTo(Outcome.DONE);
        assertThat(subscription.depth()).isEqualTo(9);
        assertThat(StateFixture.ids(topic.partitions()[0].log())).containsExactly(110L);
        assertRefused(fixture.move(first, topic.id(), 0, messages(1), 1), Refusal.NOT_PENDING);
        assertThat(StateFixture.ids(topic.partitions()[0].log())).hasSize(1);
    }

    @Test
    void shouldMoveBehindTheBacklogOfTheSameQueue() throws IOException {
        MovedRecord first = new MovedRecord(subscription.id(), 0, at(0), at(1), 1);
        assertThat(fixture.move(first, queue.id(), 0, messages(1), 1)).isEqualTo(Outcome.DONE);
        assertThat(subscription.depth()).isEqualTo(10);
        assertThat(subscription.cursor(0).floor()).isEqualTo(at(1));
    }

    @Test
    void shouldStoreACopyForATransientSource() throws IOException {
        assertThat(fixture.move(new MovedRecord(0, 0, 0, at(1), 1), topic.id(), 1, messages(1), 1))
                .isEqualTo(Outcome.DONE);
        assertThat(StateFixture.ids(topic.partitions()[1].log())).containsExactly(110L);
    }

    @Test
    void shouldRecogniseScheduledMessagesHoweverTheyCame() throws IOException {
        ByteBuffer two = ByteBuffer.allocate(200)
                .put(messages(1))
                .put(StateFixture.scheduled(9, 0))
                .put(StateFixture.scheduled(4, 5_000))
                .flip();
        fixture.put(topic, 0, 3, two.duplicate(), 1_000);
        fixture.transact(0, 0, new TransactionProposal.Parts().messages(topic.id(), 0, 3, two.duplicate()));
        fixture.move(new MovedRecord(0, 0, 0, 25, 1), topic.id(), 0, StateFixture.scheduled(0, 0), 1);
        List<String> entries = new ArrayList<>();
        topic.partitions()[0]
                .scheduled()
                .forEachFrom(at(1), (offset, priority, time) -> entries.add(priority + "/" + time));
        assertThat(entries).containsExactly("9/0", "4/5000", "9/0", "4/5000", "0/0");
    }

    @Test
    void shouldShowNothingOfATransactionWhileTheDiskHasNoRoomForAPartOfIt() throws IOException {
        SimulatedStorage storage = new SimulatedStorage();
        StateFixture full = new StateFixture(Path.of("/data"), storage);
        full.change(new Change.BrokerFounded(100));
        Topic two = full.create("t", 2, Map.of());
        Topic temporary = full.state.temporary().create("temp:x", Topic.Kind.QUEUE);
        assertThat(temporary).isNotNull();
        storage.faults().onWrite(path -> path.toString().contains("/1/") ? new StorageFullException("no room") : null);
        full.transact(
                0,
                0,
                new TransactionProposal.Parts()
                        .messages(two.id(), 0, 2, messages(2))
                        .messages(two.id(), 1, 1, messages(1))
                        .messages(temporary.id(), 0, 1, messages(1)));
        full.put(two, 0, 1);
        assertThat(full.state.unwritten()).isTrue();
        for (Partition partition :
                List.of(two.partitions()[0], two.partitions()[1], temporary.partitions()[0])) {
            assertThat(partition.log().endOffset())
                    .as(partition.name().toString())
                    .isZero();
        }
        storage.faults().onWrite(path -> null);
        full.state.retryFlush();
        assertThat(full.state.unwritten()).isFalse();
        assertThat(StateFixture.ids(two.partitions()[0].log())).containsExactly(100L, 101L, 103L);
        assertThat(StateFixture.ids(two.partitions()[1].log())).containsExactly(102L);
        assertThat(temporary.partitions()[0].log().messageCount()).isEqualTo(1);
    }
}
