package io.metaq.state;

import static io.metaq.state.StateFixture.at;
import static io.metaq.state.StateFixture.ids;
import static io.metaq.state.StateFixture.messages;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.state.record.Change;
import io.metaq.state.record.EnlistedRecord;
import io.metaq.state.record.EnlistedRecord.Then;
import io.metaq.state.record.TransactionStep.Kind;
import io.metaq.state.subscription.Cursor;
import io.metaq.state.subscription.MessageRanges;
import io.metaq.state.subscription.Subscription;
import io.metaq.state.transaction.Transaction;
import io.metaq.state.transaction.TransactionOutcome;
import io.metaq.state.transaction.TransactionOutcome.Code;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class XaStateTest {
    @TempDir
    Path dir;

    private StateFixture fixture;
    private Topic topic;
    private Topic queue;
    private Subscription subscription;
    private Cursor cursor;

    @BeforeEach
    void found() throws IOException {
        fixture = StateFixture.founded(dir.resolve("first"));
        topic = fixture.create("t", 2, Map.of());
        queue = fixture.queue("q");
        subscription = fixture.subscription("queue:q");
        fixture.put(queue, 0, 10); // ids 100 to 109
        cursor = subscription.cursor(0);
    }

    private TransactionProposal.Parts parts() {
        return new TransactionProposal.Parts()
                .messages(topic.id(), 0, 2, messages(2))
                .messages(queue.id(), 0, 1, messages(1))
                .acknowledge(subscription.id(), MessageRanges.of(0, at(2), at(5), 3));
    }

    private static TransactionProposal.Parts nothing() {
        return new TransactionProposal.Parts();
    }

    private long prepare(String key) throws IOException {
        TransactionOutcome outcome = fixture.enlist(key, Then.PREPARE, parts());
        assertThat(outcome.code()).isEqualTo(Code.PREPARED);
        return outcome.id();
    }

    private void assertCode(Code expected, TransactionOutcome outcome) {
        assertThat(outcome.code()).as(outcome.text()).isEqualTo(expected);
    }

    private void assertNothingSeen() {
        assertThat(topic.partitions()[0].log().endOffset()).isZero();
        assertThat(queue.partitions()[0].log().endOffset()).isEqualTo(at(10));
        assertThat(subscription.depth()).isEqualTo(10);
    }

    @Test
    void shouldShowNothingBeforeTheCommitAndThenAllOfIt() throws IOException {
        long id = prepare("XID:1");
        assertNothingSeen();
        assertThat(cursor.nextPending(at(2))).isEqualTo(at(5));
        assertThat(cursor.nextTaken(0)).isEqualTo(at(2));
        assertThat(cursor.isAcknowledged(at(2))).isFalse();
        List<Integer> seen = new ArrayList<>();
        topic.partitions()[0].onAdvance(0, () -> {
            seen.add((int) topic.partitions()[0].log().endOffset());
            seen.add((int) queue.partitions()[0].log().endOffset());
        });
        assertCode(Code.DONE, fixture.step(Kind.COMMIT, id));
        assertThat(seen).containsExactly((int) at(2), (int) at(11));
        assertThat(ids(topic.partitions()[0].log())).containsExactly(110L, 111L);
        assertThat(subscription.depth()).isEqualTo(8);
        assertThat(cursor.isAcknowledged(at(4))).isTrue();
        assertThat(cursor.lockCount()).isZero();
        assertThat(fixture.state.transactions().all()).isEmpty();
    }

    @Test
    void shouldGiveBackWhatWasAcknowledgedWhenItIsRolledBack() throws IOException {
        List<String> told = new ArrayList<>();
        fixture.state.observeReturned(
                (of, ranges) -> told.add(of.info().name() + " " + ranges.from(0) + " " + ranges.messages(0)));
        long id = prepare("XID:1");
        assertCode(Code.DONE, fixture.step(Kind.ROLL_BACK, id));
        assertNothingSeen();
        assertThat(told).containsExactly("queue:q 50 3");
        assertThat(cursor.nextPending(at(2))).isEqualTo(at(2));
        for (int i = 0; i < 10; i++) {
            assertThat(cursor.deliveries(at(i))).as("message %d", i).isEqualTo(i >= 2 && i < 5 ? 1 : 0);
        }
        assertCode(Code.UNKNOWN, fixture.step(Kind.COMMIT, id));
    }

    @Test
    void shouldKeepTheOrderOfPartsThatCameOneAfterTheOther() throws IOException {
        fixture.enlist("TX:a:1", Then.NOTHING, nothing().messages(topic.id(), 1, 1, messages(1)));
        fixture.enlist("TX:a:1", Then.NOTHING, nothing().messages(topic.id(), 0, 1, messages(1)));
        fixture.put(topic, 1, 1);
        assertCode(Code.DONE, fixture.enlist("TX:a:1", Then.COMMIT, nothing().messages(topic.id(), 1, 2, messages(2))));
        assertThat(ids(topic.partitions()[1].log())).containsExactly(110L, 111L, 113L, 114L);
        assertThat(ids(topic.partitions()[0].log())).containsExactly(112L);
    }

    @Test
    void shouldNeverLandALateCommitOnTheNextOfTheSameKey() throws IOException {
        long first = fixture.enlist("TX:a:1", Then.NOTHING, parts()).id();
        assertCode(Code.DONE, fixture.step(Kind.ROLL_BACK, first));
        long second = fixture.enlist("TX:a:1", Then.NOTHING, parts()).id();
        assertThat(second).isNotEqualTo(first);
        assertCode(Code.UNKNOWN, fixture.step(Kind.COMMIT_ONE_PHASE, first));
        assertCode(Code.UNKNOWN, fixture.step(Kind.ROLL_BACK, first));
        assertCode(
                Code.UNKNOWN,
                fixture.enlist(new EnlistProposal.Target("TX:a:1", first, Then.COMMIT, 0, ""), 0, 0, nothing()));
        assertNothingSeen();
        assertCode(Code.DONE, fixture.step(Kind.COMMIT_ONE_PHASE, second));
    }

    @Test
    void shouldFollowTheStatesOfXOpen() throws IOException {
        long active = fixture.enlist("XID:1", Then.NOTHING, parts()).id();
        assertCode(Code.OUT_OF_ORDER, fixture.step(Kind.COMMIT, active));
        assertCode(Code.OUT_OF_ORDER, fixture.step(Kind.FORGET, active));
        assertCode(Code.OUT_OF_ORDER, fixture.step(Kind.RESOLVE_COMMIT, active));
        assertCode(
                Code.DUPLICATE,
                fixture.enlist(
                        new EnlistProposal.Target("XID:1", EnlistedRecord.BEGIN, Then.NOTHING, 0, ""),
                        0,
                        0,
                        nothing()));
        assertCode(Code.PREPARED, fixture.step(Kind.PREPARE, active));
        assertCode(Code.PREPARED, fixture.step(Kind.PREPARE, active));
        assertCode(Code.OUT_OF_ORDER, fixture.step(Kind.COMMIT_ONE_PHASE, active));
        assertCode(Code.OUT_OF_ORDER, fixture.step(Kind.TIME_OUT, active));
        assertCode(Code.OUT_OF_ORDER, fixture.enlist("XID:1", Then.NOTHING, nothing()));
        assertCode(Code.DONE, fixture.step(Kind.COMMIT, active));
        assertCode(Code.UNKNOWN, fixture.step(Kind.COMMIT, active));
        assertCode(Code.READ_ONLY, fixture.enlist("XID:2", Then.PREPARE, nothing()));
        assertThat(fixture.state.transactions().find("XID:2")).isNull();
    }

    @Test
    void shouldTellOfAnOperatorsDecisionUntilItIsForgotten() throws IOException {
        long committed = prepare("XID:1");
        assertCode(Code.DONE, fixture.step(Kind.RESOLVE_COMMIT, committed));
        assertThat(ids(topic.partitions()[0].log())).hasSize(2);
        assertCode(Code.HEURISTICALLY_COMMITTED, fixture.step(Kind.COMMIT, committed));
        assertCode(Code.HEURISTICALLY_COMMITTED, fixture.step(Kind.ROLL_BACK, committed));
        assertThat(fixture.state.transactions().prepared()).hasSize(1);
        assertCode(Code.DONE, fixture.step(Kind.FORGET, committed));
        assertThat(fixture.state.transactions().prepared()).isEmpty();
        assertThat(ids(topic.partitions()[0].log())).hasSize(2);
        TransactionOutcome other = fixture.enlist(
                "XID:2", Then.PREPARE, nothing().acknowledge(subscription.id(), MessageRanges.of(0, at(6), at(7), 1)));
        assertCode(Code.DONE, fixture.step(Kind.RESOLVE_ROLLBACK, other.id()));
        assertThat(cursor.nextPending(at(6))).isEqualTo(at(6));
        assertCode(Code.HEURISTICALLY_ROLLED_BACK, fixture.step(Kind.COMMIT, other.id()));
    }

    @Test
    void shouldNotBeginTheSecondHalfOfWhatWasRolledBackUnasked() throws IOException {
        long id = fixture.enlist("XID:1", Then.NOTHING, parts()).id();
        assertThat(fixture.state.transactions().expired(60_999)).isEmpty();
        assertThat(fixture.state.transactions().expired(61_000))
                .extracting(Transaction::id)
                .containsExactly(id);
        assertCode(Code.DONE, fixture.step(Kind.TIME_OUT, id));
        assertCode(Code.TIMED_OUT, fixture.enlist("XID:1", Then.PREPARE, parts()));
        assertCode(Code.TIMED_OUT, fixture.step(Kind.COMMIT_ONE_PHASE, id));
        assertNothingSeen();
        assertCode(Code.DONE, fixture.step(Kind.ROLL_BACK, id));
        assertCode(Code.PREPARED, fixture.enlist("XID:1", Then.PREPARE, parts()));
    }

    @Test
    void shouldAnswerAResendAsTheFirstTime() throws IOException {
        EnlistProposal.Target prepare = new EnlistProposal.Target("XID:1", 0, Then.PREPARE, 0, "");
        TransactionOutcome first = fixture.enlist(prepare, 9, 4, parts());
        assertThat(fixture.enlist(prepare, 9, 4, parts()))
                .isEqualTo(new TransactionOutcome(Code.PREPARED, first.id(), null, "", true));
        assertCode(Code.DONE, fixture.step(Kind.COMMIT, first.id()));
        assertCode(Code.PREPARED, fixture.enlist(prepare, 9, 4, parts()));
        assertThat(fixture.state.transactions().all()).isEmpty();
        EnlistProposal.Target commit = new EnlistProposal.Target("XID:2", 0, Then.COMMIT, 0, "");
        TransactionProposal.Parts more = nothing().messages(topic.id(), 1, 1, messages(1));
        assertCode(Code.DONE, fixture.enlist(commit, 9, 5, more));
        assertCode(Code.DONE, fixture.enlist(commit, 9, 5, more));
        assertThat(ids(topic.partitions()[1].log())).hasSize(1);
        assertThat(fixture.enlist(prepare, 9, 3, parts()).reason()).isEqualTo(Refusal.STALE_SEQUENCE);
    }

    @Test
    void shouldKeepOthersFromWhatIsLocked() throws IOException {
        long id = prepare("XID:1");
        assertThat(fixture.acknowledge(subscription, 0, 0, 10)).isEqualTo(7);
        assertThat(subscription.depth()).isEqualTo(3);
        assertThat(fixture.enlist("XID:2", Then.PREPARE, parts()).reason()).isEqualTo(Refusal.NOT_PENDING);
        assertThat(fixture.state.transactions().find("XID:2")).isNull();
        assertThat(fixture.transact(0, 0, parts())).isInstanceOf(Outcome.Refused.class);
        assertCode(Code.DONE, fixture.step(Kind.COMMIT, id));
        assertThat(subscription.depth()).isEqualTo(1); // the one it sent to the queue
        assertThat(cursor.floor()).isEqualTo(at(10));
    }

    @Test
    void shouldNotLetGoOfATopicThatAPreparedOneNeeds() throws IOException {
        long id = prepare("XID:1");
        assertThat(fixture.change(new Change.TopicDeleted("t")))
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(Refusal.PREPARED));
        assertThat(fixture.change(new Change.TopicDeleted("q"))).isInstanceOf(Outcome.Refused.class);
        fixture.change(new Change.PartitionsGated("t", 0, 1, true, false, false));
        assertCode(Code.DONE, fixture.step(Kind.COMMIT, id));
        assertThat(ids(topic.partitions()[0].log())).hasSize(2);
        assertThat(fixture.change(new Change.TopicDeleted("t"))).isEqualTo(Outcome.DONE);
    }

    @Test
    void shouldRollBackAnUnpreparedOneWhoseTopicIsGone() throws IOException {
        long id = fixture.enlist("XID:1", Then.NOTHING, parts()).id();
        assertThat(fixture.change(new Change.TopicDeleted("t"))).isEqualTo(Outcome.DONE);
        TransactionOutcome outcome = fixture.step(Kind.PREPARE, id);
        assertCode(Code.ROLLED_BACK, outcome);
        assertThat(outcome.code().xaCode()).isEqualTo(100);
        assertThat(cursor.nextPending(at(2))).isEqualTo(at(2));
        assertCode(Code.ROLLED_BACK, fixture.step(Kind.COMMIT_ONE_PHASE, id));
    }

    @Test
    void shouldRefuseOnlyThePartThatCannotBeTaken() throws IOException {
        long id = fixture.enlist("TX:1", Then.NOTHING, parts()).id();
        assertCode(Code.REFUSED, fixture.enlist("TX:1", Then.NOTHING, nothing().messages(99, 0, 1, messages(1))));
        assertCode(Code.DONE, fixture.step(Kind.COMMIT_ONE_PHASE, id));
        assertThat(ids(topic.partitions()[0].log())).hasSize(2);
    }

    @Test
    void shouldSurviveASeekAndAPurge() throws IOException {
        long id = prepare("XID:1");
        fixture.change(new Change.SubscriptionPurged("queue:q"));
        assertThat(subscription.depth()).isZero();
        assertCode(Code.DONE, fixture.step(Kind.ROLL_BACK, id));
        assertThat(subscription.depth()).isZero();
        assertThat(cursor.returnedCount()).isZero();
    }

    @Test
    void shouldHoldLargeOnesInAFileInTheirOrder() throws IOException {
        int count = 2_000;
        long id = 0;
        for (int i = 0; i < 4; i++) {
            id = fixture.enlist(
                            "XID:1",
                            Then.NOTHING,
                            nothing()
                                    .messages(topic.id(), 0, count, messages(count))
                                    .messages(topic.id(), 1, 1, messages(1)))
                    .id();
        }
        assertThat(dir.resolve("first/transactions/" + id)).isDirectory();
        assertCode(Code.PREPARED, fixture.step(Kind.PREPARE, id));
        StateFixture again = restored();
        Topic restored = again.state.topic("t");
        assertThat(restored).isNotNull();
        again.put(restored, 0, 1);
        assertCode(Code.DONE, again.step(Kind.COMMIT, id));
        List<Long> first = ids(restored.partitions()[0].log());
        assertThat(first).hasSize(4 * count + 1).isSorted().doesNotHaveDuplicates();
        assertThat(ids(restored.partitions()[1].log()))
                .containsExactly(111L + count, 112L + 2 * count, 113L + 3 * count, 114L + 4 * count);
        assertThat(again.state.takeDeletedFolders()).containsExactly(dir.resolve("first/transactions/" + id));
    }

    /** The same state as a new broker has it from a checkpoint. */
    private StateFixture restored() throws IOException {
        byte[] snapshot = fixture.state.snapshot();
        fixture.state.close();
        StateFixture again = new StateFixture(dir.resolve("first"));
        again.state.restore(snapshot);
        assertThat(again.state.snapshot()).isEqualTo(snapshot);
        return again;
    }

    @Test
    void shouldKeepOneThatHoldsNothingIfItIsToldTo() throws IOException {
        assertCode(Code.READ_ONLY, fixture.enlist("XID:1", Then.PREPARE, nothing()));
        TransactionOutcome kept = fixture.enlist("XID:2", Then.KEEP, nothing());
        assertCode(Code.PREPARED, kept);
        long begun = fixture.enlist("XID:3", Then.NOTHING, nothing()).id();
        assertCode(Code.PREPARED, fixture.step(Kind.KEEP, begun));
        StateFixture again = restored();
        assertThat(again.state.transactions().prepared()).hasSize(2);
        assertCode(Code.DONE, again.step(Kind.COMMIT, kept.id()));
        assertCode(Code.DONE, again.step(Kind.ROLL_BACK, begun));
        assertThat(again.state.transactions().all()).isEmpty();
    }

    @Test
    void shouldKeepAThousandPreparedOnesThroughACheckpointAndEndThemInAnyOrder() throws IOException {
        Random random = new Random(23);
        fixture.put(queue, 0, 1_000);
        List<Long> branches = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            TransactionProposal.Parts one = nothing()
                    .messages(topic.id(), 0, 1, messages(1))
                    .acknowledge(subscription.id(), MessageRanges.of(0, at(10 + i), at(11 + i), 1));
            branches.add(fixture.enlist("XID:" + i, Then.PREPARE, one).id());
        }
        Collections.shuffle(branches, random);
        int committed = 0;
        StateFixture current = fixture;
        for (int i = 0; i < branches.size(); i++) {
            if (i % 250 == 0) {
                fixture = current;
                current = restored();
            }
            boolean commit = random.nextBoolean();
            committed += commit ? 1 : 0;
            assertCode(Code.DONE, current.step(commit ? Kind.COMMIT : Kind.ROLL_BACK, branches.get(i)));
        }
        Topic after = current.state.topic("t");
        assertThat(after).isNotNull();
        assertThat(ids(after.partitions()[0].log())).hasSize(committed);
        Subscription queueAfter = current.subscription("queue:q");
        assertThat(queueAfter.depth()).isEqualTo(1_010 - committed);
        assertThat(queueAfter.cursor(0).returnedCount()).isEqualTo(1_000 - committed);
        assertThat(queueAfter.cursor(0).lockCount()).isZero();
    }
}
