package io.metaq.state;

import static io.metaq.state.StateFixture.at;
import static io.metaq.state.StateFixture.ids;
import static io.metaq.state.StateFixture.messages;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.log.file.StorageFullException;
import io.metaq.state.record.Change;
import io.metaq.state.record.EnlistedRecord.Then;
import io.metaq.state.record.TransactionStep;
import io.metaq.state.subscription.MessageRanges;
import io.metaq.state.subscription.Subscription;
import io.metaq.state.transaction.TransactionOutcome.Code;
import io.metaq.testkit.storage.SimulatedStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A large transaction becomes readable after its commit, by slices; all of it at once, and others are not in its way. */
class LargeCommitTest {
    private static final Path DATA = Path.of("/data");

    /** More than waits in the heap, and several slices. */
    private static final int MANY = 400;

    private final SimulatedStorage storage = new SimulatedStorage();
    private final StateFixture live = new StateFixture(DATA, storage);
    private Topic topic;
    private Topic other;
    private Topic queue;
    private Subscription subscription;

    @BeforeEach
    void found() throws IOException {
        live.state.recovered();
        live.change(new Change.BrokerFounded(100));
        topic = live.create("t", 2, Map.of());
        other = live.create("o", 1, Map.of());
        queue = live.queue("q");
        subscription = live.subscription("queue:q");
        live.put(queue, 0, 10); // ids 100 to 109
    }

    /** Prepares one with messages for both partitions in turns, and an acknowledgement. */
    private long prepared() throws IOException {
        for (int i = 0; i < MANY / 8; i++) {
            TransactionProposal.Parts parts = new TransactionProposal.Parts()
                    .messages(topic.id(), 0, 3, messages(3))
                    .messages(topic.id(), 1, 5, messages(5));
            assertThat(live.enlist("XID:l", Then.NOTHING, parts).code()).isEqualTo(Code.DONE);
        }
        TransactionProposal.Parts last =
                new TransactionProposal.Parts().acknowledge(subscription.id(), MessageRanges.of(0, at(0), at(1), 1));
        return live.enlist("XID:l", Then.PREPARE, last).id();
    }

    private TransactionStepProposal commit(long id) throws IOException {
        TransactionStepProposal commit = StateFixture.stepped(TransactionStep.Kind.COMMIT, id);
        live.propose(commit);
        assertThat(commit.outcome().code()).isEqualTo(Code.DONE);
        return commit;
    }

    private static int count(Topic topic, int partition) throws IOException {
        return ids(topic.partitions()[partition].log()).size();
    }

    private void finish() throws IOException {
        while (live.state.proceed()) {
            assertThat(live.state.committing()).isTrue();
        }
        assertThat(live.state.committing()).isFalse();
    }

    /** What a broker has that starts on this disk without any checkpoint. */
    private StateFixture replayed(SimulatedStorage disk) throws IOException {
        StateFixture again = new StateFixture(DATA, disk);
        again.replay(live.journal, 7);
        return again;
    }

    private static byte[] content(BrokerState state) throws IOException {
        byte[] snapshot = state.snapshot();
        return Arrays.copyOfRange(snapshot, 12, snapshot.length);
    }

    @Test
    void shouldBecomeReadableAllAtOnceWhileOthersGoOn() throws IOException {
        List<String> told = new ArrayList<>();
        commit(prepared()).whenReadable(() -> told.add("readable"));
        int slices = 0;
        while (live.state.proceed()) {
            assertThat(count(topic, 0) + count(topic, 1)).isZero();
            live.put(other, 0, 1);
            live.put(topic, 1, 1);
            assertThat(count(other, 0)).isEqualTo(++slices);
            assertThat(told).isEmpty();
        }
        assertThat(slices).isGreaterThan(5);
        assertThat(told).containsExactly("readable");
        assertThat(count(topic, 0)).isEqualTo(MANY / 8 * 3);
        assertThat(count(topic, 1)).isEqualTo(MANY / 8 * 5 + slices);
        assertThat(live.state.transactions().all()).isEmpty();
        assertThat(content(live.state)).isEqualTo(content(replayed(new SimulatedStorage()).state));
    }

    @Test
    void shouldNumberItsMessagesInTheOrderInWhichTheyCame() throws IOException {
        commit(prepared());
        live.put(topic, 0, 1);
        finish();
        List<Long> first = ids(topic.partitions()[0].log());
        assertThat(first).startsWith(110L, 111L, 112L, 118L).endsWith(110L + MANY);
        assertThat(ids(topic.partitions()[1].log())).startsWith(113L, 114L, 115L, 116L, 117L, 121L);
    }

    @Test
    void shouldBeTheSameAfterACrashAtAnySlice() throws IOException {
        commit(prepared());
        List<SimulatedStorage> disks = new ArrayList<>();
        boolean more = true;
        while (more) {
            live.put(topic, 0, 1);
            disks.add(storage.copy());
            more = live.state.proceed();
        }
        int whole = count(topic, 0);
        assertThat(disks).hasSizeGreaterThan(5);
        for (SimulatedStorage disk : disks) {
            StateFixture again = replayed(disk);
            assertThat(again.state.partition("t", 0)).isNotNull();
            assertThat(count(again.state.topic("t"), 0)).isEqualTo(whole);
            assertThat(content(again.state)).isEqualTo(content(live.state));
        }
    }

    @Test
    void shouldHoldBackWhatBelongsTogetherWithMessagesBehindIt() throws IOException {
        commit(prepared());
        live.state.proceed();
        Topic temporary = live.state.temporary().create("temp:x", Topic.Kind.QUEUE);
        assertThat(temporary).isNotNull();
        TransactionProposal.Parts both = new TransactionProposal.Parts()
                .messages(topic.id(), 0, 1, messages(1))
                .messages(other.id(), 0, 1, messages(1))
                .messages(temporary.id(), 0, 1, messages(1));
        assertThat(live.transact(0, 0, both)).isEqualTo(Outcome.DONE);
        live.put(other, 0, 1);
        assertThat(count(other, 0)).as("the half of a transaction").isZero();
        assertThat(count(temporary, 0)).isZero();
        live.put(queue, 0, 1);
        assertThat(count(queue, 0)).isEqualTo(11);
        finish();
        assertThat(count(other, 0)).isEqualTo(2);
        assertThat(count(temporary, 0)).isEqualTo(1);
        assertThat(count(topic, 0)).isEqualTo(MANY / 8 * 3 + 1);
    }

    @Test
    void shouldFindScheduledMessagesBeforeAndBehindIt() throws IOException {
        int scheduled = StateFixture.scheduled(9, 0).remaining();
        for (int i = 0; i < 40; i++) {
            TransactionProposal.Parts parts = new TransactionProposal.Parts()
                    .messages(topic.id(), 0, 1, StateFixture.scheduled(9, 0))
                    .messages(topic.id(), 0, 5, messages(5));
            live.enlist("XID:s", Then.NOTHING, parts);
        }
        live.put(topic, 0, 1, StateFixture.scheduled(1, 0), 1_000);
        commit(live.enlist("XID:s", Then.PREPARE, new TransactionProposal.Parts())
                .id());
        live.put(topic, 0, 1, StateFixture.scheduled(2, 0), 1_000);
        finish();
        List<Long> offsets = new ArrayList<>();
        List<Integer> priorities = new ArrayList<>();
        topic.partitions()[0].scheduled().forEachFrom(0, (offset, priority, time) -> {
            offsets.add(offset);
            priorities.add(priority);
        });
        List<Long> expected = new ArrayList<>(List.of(0L));
        for (int i = 0; i <= 40; i++) {
            expected.add(scheduled + i * (scheduled + at(5)));
        }
        assertThat(offsets).isEqualTo(expected);
        assertThat(priorities.get(0)).isEqualTo(1);
        assertThat(priorities.get(41)).isEqualTo(2);
        assertThat(content(live.state)).isEqualTo(content(replayed(new SimulatedStorage()).state));
    }

    @Test
    void shouldGoOnWhenATopicIsDeletedMeanwhile() throws IOException {
        TransactionProposal.Parts parts = new TransactionProposal.Parts()
                .messages(other.id(), 0, 90, messages(90))
                .messages(topic.id(), 0, 90, messages(90));
        commit(live.enlist("XID:d", Then.PREPARE, parts).id());
        live.state.proceed();
        live.change(new Change.TopicDeleted("o"));
        Topic next = live.create("o", 1, Map.of());
        finish();
        assertThat(count(next, 0)).isZero();
        assertThat(count(topic, 0)).isEqualTo(90);
    }

    @Test
    void shouldWaitForRoomOnTheDiskWithoutLosingAnything() throws IOException {
        commit(prepared());
        live.state.proceed();
        storage.faults().onWrite(path -> path.toString().contains("/t-") ? new StorageFullException("no room") : null);
        assertThat(live.state.proceed()).isFalse();
        assertThat(live.state.unwritten()).isTrue();
        live.put(other, 0, 1); // came before anybody was refused
        live.state.retryFlush();
        assertThat(live.state.proceed()).isFalse();
        storage.faults().onWrite(path -> null);
        live.state.retryFlush();
        assertThat(live.state.unwritten()).isFalse();
        finish();
        assertThat(count(topic, 0)).isEqualTo(MANY / 8 * 3);
        assertThat(count(other, 0)).isEqualTo(1);
        assertThat(content(live.state)).isEqualTo(content(replayed(new SimulatedStorage()).state));
    }

    @Test
    void shouldTakeACommitWhileItsOwnLogWaitsForRoom() throws IOException {
        TransactionProposal.Parts parts = new TransactionProposal.Parts().messages(topic.id(), 0, 90, messages(90));
        storage.faults()
                .onWrite(path -> path.toString().contains("transactions") ? new StorageFullException("no room") : null);
        long id = live.enlist("XID:f", Then.PREPARE, parts).id();
        assertThat(live.state.unwritten()).as("others are refused").isTrue();
        assertThatThrownBy(live.state::snapshot).isInstanceOf(StorageFullException.class);
        List<String> told = new ArrayList<>();
        commit(id).whenReadable(() -> told.add("committed"));
        assertThat(live.state.proceed()).isFalse();
        assertThat(told).as("it is committed, whatever the disk does").containsExactly("committed");
        assertThat(count(topic, 0)).isZero();
        SimulatedStorage crashed = storage.copy();
        storage.faults().onWrite(path -> null);
        live.state.retryFlush();
        finish();
        assertThat(count(topic, 0)).isEqualTo(90);
        assertThat(content(replayed(crashed).state)).isEqualTo(content(live.state));
    }

    @Test
    void shouldReadOnBehindWhatItsOwnLogHasLost() throws IOException {
        TransactionProposal.Parts parts = new TransactionProposal.Parts()
                .messages(topic.id(), 0, 90, messages(90))
                .messages(topic.id(), 1, 90, messages(90));
        long id = live.enlist("XID:x", Then.PREPARE, parts).id();
        Path log = storage.list(DATA.resolve("transactions/" + id)).get(0);
        byte[] bytes = storage.content(log);
        ByteBuffer.wrap(bytes).putInt((int) at(45), -1);
        storage.replaceContent(log, bytes);
        commit(id);
        finish();
        assertThat(topic.partitions()[0].log().endOffset()).isEqualTo(at(90));
        assertThat(topic.partitions()[0].files().damagedRanges())
                .singleElement()
                .satisfies(range -> assertThat(range.to()).isEqualTo(at(90)));
        assertThat(count(topic, 1)).isEqualTo(90);
    }

    @Test
    void shouldCopyTheRestBeforeACheckpoint() throws IOException {
        commit(prepared());
        live.state.proceed();
        byte[] snapshot = live.state.snapshot();
        assertThat(live.state.committing()).isFalse();
        StateFixture again = new StateFixture(DATA, storage.copy());
        again.state.restore(snapshot);
        assertThat(count(again.state.topic("t"), 0)).isEqualTo(MANY / 8 * 3);
    }
}
