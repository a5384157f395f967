package io.metaq.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.log.file.Storage;
import io.metaq.log.journal.Durability;
import io.metaq.log.partition.LogSlice;
import io.metaq.log.partition.OpenFiles;
import io.metaq.state.record.Change;
import io.metaq.state.record.MessageRecord;
import io.metaq.state.record.RecordType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokerStateTest {
    private static final int MESSAGE_BYTES = 25;

    @TempDir
    Path dir;

    private long position;

    private record Entry(byte type, ByteBuffer body) {}

    private BrokerState state(String name) {
        return new BrokerState(dir.resolve(name), new OpenFiles(Storage.disk(), 100), topic -> 4096);
    }

    private static Entry entry(Change change) {
        return new Entry(change.type(), change.encode());
    }

    private static ByteBuffer messages(int count) {
        ByteBuffer messages = ByteBuffer.allocate(count * MESSAGE_BYTES);
        for (int i = 0; i < count; i++) {
            messages.putInt(5).putInt(907060870).putLong(0).putInt(0).put(new byte[] {'h', 'e', 'l', 'l', 'o'});
        }
        return messages.flip();
    }

    private static MessageRecord to(int partition, long producer, long sequence, int count) {
        return new MessageRecord(1, partition, 1_000, producer, sequence, count);
    }

    private static Entry entry(MessageRecord record) {
        ByteBuffer messages = messages(record.count());
        ByteBuffer body = ByteBuffer.allocate(MessageRecord.HEAD_BYTES + messages.remaining());
        record.write(body);
        return new Entry(RecordType.MESSAGES, body.put(messages).flip());
    }

    private void replay(BrokerState state, Entry... entries) throws IOException {
        for (Entry entry : entries) {
            state.apply(position++, 1, entry.type(), entry.body().duplicate(), null);
        }
        state.endOfBatch(position);
    }

    private MessagesProposal propose(BrokerState state, MessageRecord record) throws IOException {
        MessagesProposal proposal = new MessagesProposal(record, Durability.OS, messages(record.count())) {
            @Override
            public void committed() {}

            @Override
            public void failed(Throwable cause) {}
        };
        // As a record too large to be copied together: its parts are taken from the proposal.
        state.apply(position++, 1, RecordType.MESSAGES, null, proposal);
        state.endOfBatch(position);
        return proposal;
    }

    private BrokerState founded(String name) throws IOException {
        BrokerState state = state(name);
        replay(state, entry(new Change.BrokerFounded(100)), entry(new Change.TopicCreated("t", 2, Map.of())));
        return state;
    }

    private static Partition partition(BrokerState state, int index) {
        Partition partition = state.partition("t", index);
        assertThat(partition).isNotNull();
        return partition;
    }

    @Test
    void shouldShowABatchOnlyAtItsEnd() throws IOException {
        BrokerState state = founded("a");
        Entry entry = entry(to(0, 0, 0, 3));
        state.apply(position++, 1, entry.type(), entry.body(), null);
        assertThat(partition(state, 0).log().endOffset()).isZero();
        state.endOfBatch(position);
        assertThat(partition(state, 0).log().endOffset()).isEqualTo(3 * MESSAGE_BYTES);
    }

    @Test
    void shouldNumberMessagesOverAllPartitions() throws IOException {
        BrokerState state = founded("a");
        assertThat(propose(state, to(0, 0, 0, 3)).firstId()).isEqualTo(100);
        assertThat(propose(state, to(1, 0, 0, 1)).firstId()).isEqualTo(103);
        assertThat(ids(partition(state, 0))).containsExactly(100L, 101L, 102L);
        assertThat(ids(partition(state, 1))).containsExactly(103L);
    }

    @Test
    void shouldAnswerAResendWithTheFirstAnswer() throws IOException {
        BrokerState state = founded("a");
        MessagesProposal first = propose(state, to(0, 9, 0, 2));
        MessagesProposal again = propose(state, to(1, 9, 0, 2));
        assertThat(again.outcome()).isEqualTo(Outcome.DONE);
        assertThat(again.firstId()).isEqualTo(first.firstId());
        assertThat(again.partition()).isZero();
        assertThat(again.offset()).isEqualTo(first.offset());
        assertThat(partition(state, 1).log().endOffset()).isZero();
    }

    @Test
    void shouldRefuseASequenceThatItCannotTell() throws IOException {
        BrokerState state = founded("a");
        propose(state, to(0, 9, 10, 2));
        assertThat(propose(state, to(0, 9, 5, 1)).outcome())
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(Refusal.STALE_SEQUENCE));
    }

    @Test
    void shouldTakeAGapInTheSequence() throws IOException {
        BrokerState state = founded("a");
        propose(state, to(0, 9, 0, 2));
        assertThat(propose(state, to(0, 9, 100, 2)).outcome()).isEqualTo(Outcome.DONE);
    }

    @Test
    void shouldRefuseWhatWasClosedMeanwhile() throws IOException {
        BrokerState state = founded("a");
        replay(state, entry(new Change.PartitionsGated("t", 0, 0, true, false, false)));
        assertThat(propose(state, to(0, 0, 0, 1)).outcome())
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(Refusal.CLOSED));
        assertThat(propose(state, to(1, 0, 0, 1)).outcome()).isEqualTo(Outcome.DONE);
    }

    @Test
    void shouldKeepATopicOfTheSameNameApartFromADeletedOne() throws IOException {
        BrokerState state = founded("a");
        propose(state, to(0, 0, 0, 3));
        replay(
                state,
                entry(new Change.OffsetCommitted("g", "t", 0, 25, 100, 1)),
                entry(new Change.TopicDeleted("t")),
                entry(new Change.TopicCreated("t", 1, Map.of())));
        assertThat(partition(state, 0).log().endOffset()).isZero();
        assertThat(state.group("g")).isNull();
        assertThat(propose(state, to(0, 0, 0, 1)).outcome()).isInstanceOf(Outcome.Refused.class);
        assertThat(state.takeDeletedFolders()).hasSize(1);
    }

    @Test
    void shouldNotLetWhatWasMeantForADeletedTopicReachTheNextOfItsName() throws IOException {
        BrokerState state = founded("a");
        replay(
                state,
                entry(new Change.TopicDeleted("t")),
                entry(new Change.OffsetCommitted("g", "t", 0, 75, 100, 1)),
                entry(new Change.OffsetsReset("g", "t", Map.of(0, 75L), 1)),
                entry(new Change.TopicCreated("t", 2, Map.of())),
                entry(new MessageRecord(2, 0, 1_000, 0, 0, 3)),
                entry(new Change.PartitionTrimmed(1, 0, 75, Change.Disposal.DELETE)));
        assertThat(state.group("g")).isNull();
        assertThat(partition(state, 0).log().startOffset()).isZero();
        assertThat(ids(partition(state, 0))).hasSize(3);

        replay(state, entry(new Change.PartitionTrimmed(2, 0, 75, Change.Disposal.DELETE)));
        assertThat(partition(state, 0).log().startOffset()).isEqualTo(75);
    }

    @Test
    void shouldRememberWhatAResetOverwrote() throws IOException {
        BrokerState state = founded("a");
        replay(
                state,
                entry(new Change.OffsetCommitted("g", "t", 0, 25, 100, 1_000)),
                entry(new Change.OffsetCommitted("g", "t", 0, 50, 101, 2_000)),
                entry(new Change.OffsetsReset("g", "t", Map.of(0, 0L), 3_000)));
        Group group = state.group("g");
        assertThat(group).isNotNull();
        assertThat(group.positions().get(new PartitionName("t", 0)).offset()).isZero();
        assertThat(group.history()).hasSize(2);
        assertThat(group.history()
                        .get(1)
                        .positions()
                        .get(new PartitionName("t", 0))
                        .offset())
                .isEqualTo(50);
    }

    @Test
    void shouldWakeWhoWaitsWhenTheEndMoves() throws IOException {
        BrokerState state = founded("a");
        List<String> woken = new ArrayList<>();
        partition(state, 0).onAdvance(0, () -> woken.add("zero"));
        partition(state, 1).onAdvance(0, () -> woken.add("one"));
        propose(state, to(0, 0, 0, 1));
        assertThat(woken).containsExactly("zero");
        partition(state, 0).onAdvance(0, () -> woken.add("at once"));
        assertThat(woken).containsExactly("zero", "at once");
    }

    @Test
    void shouldBeTheSameByReplayAndByCheckpointAndReplay() throws IOException {
        for (long seed = 0; seed < 20; seed++) {
            compare(new Random(seed), seed);
        }
    }

    /** A random journal, once replayed whole, once from a snapshot in its middle with its partition logs run ahead. */
    private void compare(Random random, long seed) throws IOException {
        List<Entry> journal = new ArrayList<>();
        journal.add(entry(new Change.BrokerFounded(1)));
        journal.add(entry(new Change.TopicCreated("t", 3, Map.of())));
        for (int i = 0; i < 300; i++) {
            journal.add(any(random, i));
        }
        position = 0;
        BrokerState whole = state("whole" + seed);
        replay(whole, journal.toArray(Entry[]::new));

        position = 0;
        int cut = 2 + random.nextInt(298);
        BrokerState before = state("cut" + seed);
        replay(before, journal.subList(0, cut).toArray(Entry[]::new));
        byte[] snapshot = before.snapshot();
        replay(before, journal.subList(cut, Math.min(cut + 50, journal.size())).toArray(Entry[]::new));
        before.close();

        BrokerState after = state("cut" + seed);
        position = after.restore(snapshot);
        assertThat(position).isEqualTo(cut);
        replay(after, journal.subList(cut, journal.size()).toArray(Entry[]::new));
        assertThat(after.snapshot()).as("seed %d cut %d", seed, cut).isEqualTo(whole.snapshot());
        for (int p = 0; p < 3; p++) {
            assertThat(bytes(partition(after, p)))
                    .as("seed %d cut %d partition %d", seed, cut, p)
                    .isEqualTo(bytes(partition(whole, p)));
        }
        whole.close();
        after.close();
    }

    private static Entry any(Random random, int step) {
        return switch (random.nextInt(12)) {
            case 0 -> entry(new Change.OffsetCommitted("g" + random.nextInt(3), "t", 0, step, step, step * 60_000L));
            case 1 -> entry(new Change.PartitionsGated("t", 2, 2, true, true, random.nextBoolean()));
            case 2 -> entry(new Change.TopicCreated("t" + random.nextInt(5), 1, Map.of("stat", "true")));
            case 3 -> entry(new Change.TopicDeleted("t" + random.nextInt(5)));
            case 4 -> entry(new Change.ProducersExpired(random.nextInt(2_000)));
            default -> entry(to(random.nextInt(3), random.nextInt(3), random.nextInt(3) + step, 1 + random.nextInt(5)));
        };
    }

    private static List<Long> ids(Partition partition) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(bytes(partition));
        List<Long> ids = new ArrayList<>();
        for (int at = 0; at < bytes.limit(); at += MESSAGE_BYTES) {
            ids.add(bytes.getLong(at + MessageRecord.MESSAGE_ID_AT));
        }
        return ids;
    }

    private static byte[] bytes(Partition partition) throws IOException {
        ByteBuffer all = ByteBuffer.allocate((int) partition.log().endOffset());
        while (all.hasRemaining()) {
            LogSlice slice = partition.log().slice(all.position(), all.remaining());
            assertThat(slice).isNotNull();
            slice.read(all.slice(all.position(), slice.length()), 0);
            all.position(all.position() + slice.length());
            slice.release();
        }
        return all.array();
    }
}
