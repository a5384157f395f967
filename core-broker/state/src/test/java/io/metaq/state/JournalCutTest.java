package io.metaq.state;

import static io.metaq.state.StateFixture.at;
import static io.metaq.state.StateFixture.messages;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.log.file.Storage;
import io.metaq.log.journal.Durability;
import io.metaq.log.journal.Journal;
import io.metaq.log.journal.JournalConfig;
import io.metaq.log.journal.Proposal;
import io.metaq.log.journal.StateMachine;
import io.metaq.state.record.Change;
import io.metaq.state.record.EnlistedRecord;
import io.metaq.state.record.EnlistedRecord.Then;
import io.metaq.state.record.MessageRecord;
import io.metaq.state.record.MovedRecord;
import io.metaq.state.record.TransactionStep;
import io.metaq.state.subscription.MessageRanges;
import io.metaq.state.subscription.Start;
import io.metaq.state.subscription.SubscriptionInfo;
import io.metaq.state.subscription.SubscriptionInfo.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal with subscriptions and transactions that is cut anywhere gives the state of some of its first records. */
class JournalCutTest {
    private static final int SEGMENT_BYTES = 64 << 10;
    private static final int SEGMENT_HEADER_BYTES = 4096;

    @TempDir
    Path dir;

    private static JournalConfig config(Path directory) {
        return JournalConfig.of(directory.resolve("journal"))
                .withSegmentBytes(SEGMENT_BYTES)
                .withMaxBatchBytes(8 << 10);
    }

    /** Remembers the state after each record. */
    private static final class Recording implements StateMachine {
        private final BrokerState state;
        private final TreeMap<Long, byte[]> after = new TreeMap<>();

        Recording(BrokerState state) {
            this.state = state;
        }

        @Override
        public void apply(long position, int epoch, byte type, @Nullable ByteBuffer body, @Nullable Proposal proposal)
                throws IOException {
            endOfBatch(position);
            state.apply(position, epoch, type, body, proposal);
        }

        @Override
        public void endOfBatch(long position) throws IOException {
            state.endOfBatch(position);
            after.put(position, withoutPosition(state.snapshot()));
        }
    }

    private static byte[] withoutPosition(byte[] snapshot) {
        return Arrays.copyOfRange(snapshot, 12, snapshot.length);
    }

    private List<Proposal> history() {
        List<Proposal> all = new ArrayList<>();
        all.add(change(new Change.BrokerFounded(1)));
        all.add(change(new Change.TopicCreated("t", 2, Map.of())));
        all.add(change(new Change.TopicCreated("q", 1, Map.of(Topic.KIND, "queue"))));
        all.add(change(
                new Change.SubscriptionCreated(new SubscriptionInfo("s", 1, Kind.DURABLE, null, null), Start.LAST)));
        all.add(put(2, 8));
        for (int i = 0; i < 6; i++) {
            all.add(put(1, 3));
            all.add(acknowledge(1, MessageRanges.of(0, at(i), at(i + 1), 1)));
            all.add(StateFixture.transaction(
                    7,
                    i,
                    new TransactionProposal.Parts()
                            .messages(1, 1, 2, messages(2))
                            .messages(2, 0, 1, messages(1))
                            .acknowledge(2, MessageRanges.of(0, at(3 * i), at(3 * i + 1), 1))));
            all.add(change(new Change.Returned(2, 0, List.of(new Change.ReturnedMessage(at(3 * i + 1), i)))));
            all.add(moved(new MovedRecord(2, 0, at(3 * i + 1), at(3 * i + 2), 1)));
            all.add(change(new Change.DeliveredMark(2, 0, at(3 * i + 5))));
        }
        addTransactions(all);
        all.add(change(new Change.SubscriptionPurged("queue:q")));
        all.add(change(new Change.TopicDeleted("t")));
        return all;
    }

    private static void addTransactions(List<Proposal> all) {
        all.add(put(2, 8));
        for (int i = 1; i <= 4; i++) {
            TransactionProposal.Parts parts = new TransactionProposal.Parts()
                    .messages(1, 1, 2, messages(2))
                    .acknowledge(2, MessageRanges.of(0, at(18 + i), at(19 + i), 1));
            all.add(StateFixture.enlisted(
                    new EnlistProposal.Target("XID:" + i, EnlistedRecord.ANY, Then.PREPARE, 0, "t"), 8, i, parts));
        }
        all.add(StateFixture.stepped(TransactionStep.Kind.COMMIT, 1));
        all.add(StateFixture.stepped(TransactionStep.Kind.ROLL_BACK, 2));
        all.add(StateFixture.stepped(TransactionStep.Kind.RESOLVE_COMMIT, 3));
        all.add(StateFixture.stepped(TransactionStep.Kind.FORGET, 3));
        all.add(StateFixture.stepped(TransactionStep.Kind.RESOLVE_ROLLBACK, 4));
        all.add(StateFixture.enlisted(
                new EnlistProposal.Target("TX:5", EnlistedRecord.BEGIN, Then.NOTHING, 9_000, "t"),
                0,
                0,
                new TransactionProposal.Parts().messages(1, 0, 1, messages(1))));
        all.add(StateFixture.stepped(TransactionStep.Kind.TIME_OUT, 5));
    }

    @Test
    void shouldGiveThePrefixOfARecordWhereverItIsCut() throws IOException {
        Path whole = dir.resolve("whole");
        write(whole);
        Recording recording = new Recording(new StateFixture(dir.resolve("reference")).state);
        replay(whole, dir.resolve("reference-journal"), recording, Integer.MAX_VALUE);
        int end = lastByte(whole);
        Random random = new Random(3);
        for (int i = 0; i < 150; i++) {
            int cut = SEGMENT_HEADER_BYTES + random.nextInt(end - SEGMENT_HEADER_BYTES + 1);
            BrokerState state = new StateFixture(dir.resolve("state" + i)).state;
            replay(whole, dir.resolve("cut" + i), state, cut);
            // A mark, which the state does not see, may stand between the last record and the end.
            assertThat(withoutPosition(state.snapshot()))
                    .as("cut at byte %d", cut)
                    .isEqualTo(recording
                            .after
                            .ceilingEntry(state.appliedPosition())
                            .getValue());
            state.close();
        }
    }

    private void write(Path directory) throws IOException {
        BrokerState state = new StateFixture(dir.resolve("live")).state;
        try (Journal journal = Journal.open(config(directory), Storage.disk())) {
            journal.replay(0, state);
            journal.start(state, failure -> {});
            for (Proposal proposal : history()) {
                assertThat(journal.offer(proposal)).isTrue();
            }
        }
        state.close();
    }

    private static void replay(Path from, Path to, StateMachine state, int cut) throws IOException {
        Files.createDirectories(to.resolve("journal"));
        try (Stream<Path> files = Files.list(from.resolve("journal"))) {
            for (Path file : files.toList()) {
                byte[] bytes = Files.readAllBytes(file);
                if (cut < bytes.length) {
                    Arrays.fill(bytes, cut, bytes.length, (byte) 0);
                }
                Files.write(to.resolve("journal").resolve(file.getFileName()), bytes);
            }
        }
        try (Journal journal = Journal.open(config(to), Storage.disk())) {
            journal.replay(0, state);
            state.endOfBatch(journal.endPosition());
        }
    }

    private static int lastByte(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("journal"))) {
            List<Path> segments = files.filter(
                            file -> !file.getFileName().toString().startsWith("free"))
                    .toList();
            assertThat(segments).hasSize(1);
            byte[] bytes = Files.readAllBytes(segments.get(0));
            int last = bytes.length;
            while (bytes[last - 1] == 0) {
                last--;
            }
            return last;
        }
    }

    private static Proposal change(Change change) {
        return new ChangeProposal(change, Durability.OS) {
            @Override
            public void committed() {}

            @Override
            public void failed(Throwable cause) {}
        };
    }

    private static Proposal put(int topicId, int count) {
        return new MessagesProposal(new MessageRecord(topicId, 0, 5, 0, 0, count), Durability.OS, messages(count)) {
            @Override
            public void committed() {}

            @Override
            public void failed(Throwable cause) {}
        };
    }

    private static Proposal acknowledge(int subscriptionId, MessageRanges ranges) {
        return new AcknowledgeProposal(subscriptionId, ranges, Durability.OS) {
            @Override
            public void committed() {}

            @Override
            public void failed(Throwable cause) {}
        };
    }

    private static Proposal moved(MovedRecord moved) {
        return new MovedProposal(moved, new MessageRecord(1, 1, 5, 0, 0, 1), Durability.OS, messages(1)) {
            @Override
            public void committed() {}

            @Override
            public void failed(Throwable cause) {}
        };
    }
}
