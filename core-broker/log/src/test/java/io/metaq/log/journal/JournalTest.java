package io.metaq.log.journal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.log.file.Storage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {

    @TempDir
    Path directory;

    private JournalConfig config() {
        return JournalConfig.of(directory.resolve("journal"))
                .withSegmentBytes(64 << 10)
                .withMaxBatchBytes(8 << 10);
    }

    private Journal start(JournalConfig config, RecordingState state) throws IOException {
        Journal journal = Journal.open(config, Storage.disk());
        journal.replay(0, state);
        journal.start(state, cause -> state.records.add("FATAL " + cause));
        return journal;
    }

    private static TestProposal text(int type, Durability durability, String... parts) {
        byte[][] bytes = new byte[parts.length][];
        for (int i = 0; i < parts.length; i++) {
            bytes[i] = parts[i].getBytes(ISO_8859_1);
        }
        return new TestProposal(type, durability, bytes);
    }

    @Test
    void shouldReplayWhatWasWritten() throws Exception {
        RecordingState live = new RecordingState();
        List<CompletableFuture<Long>> answers = new ArrayList<>();
        try (Journal journal = start(config(), live)) {
            for (int i = 0; i < 2000; i++) {
                TestProposal proposal = text(
                        1 + i % 5,
                        i % 7 == 0 ? Durability.DISK : Durability.OS,
                        "record",
                        " " + i,
                        "x".repeat(i % 300));
                assertThat(journal.offer(proposal)).isTrue();
                answers.add(proposal.done);
            }
            for (CompletableFuture<Long> answer : answers) {
                answer.get(10, TimeUnit.SECONDS);
            }
        }
        RecordingState replayed = new RecordingState();
        try (Journal journal = start(config(), replayed)) {
            assertThat(replayed.records).isEqualTo(live.records).hasSize(2000);
            assertThat(replayed.positions).isEqualTo(live.positions);
            assertThat(journal.durablePosition()).isEqualTo(journal.endPosition());
        }
    }

    @Test
    void shouldReplayFromAPosition() throws Exception {
        RecordingState live = new RecordingState();
        try (Journal journal = start(config(), live)) {
            for (int i = 0; i < 500; i++) {
                journal.offer(text(1, Durability.OS, "r" + i + "y".repeat(200)));
            }
        }
        for (int i = 0; i < 500; i += 50) {
            RecordingState replayed = new RecordingState();
            try (Journal journal = Journal.open(config(), Storage.disk())) {
                journal.replay(live.positions.get(i), replayed);
                assertThat(replayed.records).isEqualTo(live.records.subList(i, 500));
            }
        }
    }

    @Test
    void shouldTakeBodiesLongerThanABatch() throws Exception {
        RecordingState live = new RecordingState();
        try (Journal journal = start(config(), live)) {
            TestProposal onePart = text(1, Durability.OS, "a".repeat(20_000));
            TestProposal parts = text(2, Durability.DISK, "b".repeat(20_000), "c".repeat(10_000));
            TestProposal after = text(3, Durability.OS, "d");
            for (TestProposal proposal : List.of(onePart, parts, after)) {
                journal.offer(proposal);
            }
            after.done.get(10, TimeUnit.SECONDS);
            assertThat(live.records.get(0)).hasSize(20_002);
            assertThat(live.liveBodiesMissing).isEqualTo(1);
        }
        RecordingState replayed = new RecordingState();
        start(config(), replayed).close();
        assertThat(replayed.records.get(1)).isEqualTo("2:" + "b".repeat(20_000) + "c".repeat(10_000));
        assertThat(replayed.records.get(2)).isEqualTo("3:d");
    }

    @Test
    void shouldRefuseABodyThatFitsNoSegment() throws Exception {
        try (Journal journal = start(config(), new RecordingState())) {
            TestProposal fits = new TestProposal(1, Durability.OS, new byte[journal.maxBodyBytes()]);
            assertThat(journal.offer(fits)).isTrue();
            fits.done.get(10, TimeUnit.SECONDS);
            TestProposal tooLong = new TestProposal(1, Durability.OS, new byte[journal.maxBodyBytes() + 1]);
            assertThatThrownBy(() -> journal.offer(tooLong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("limit is " + journal.maxBodyBytes());
        }
    }

    @Test
    void shouldHoldBackWhenTooManyBytesWait() throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (Journal journal = start(config().withMaxQueuedBytes(1000), new RecordingState())) {
            journal.execute(() -> {
                blocked.countDown();
                awaitUnchecked(release);
            });
            blocked.await();
            TestProposal first = new TestProposal(1, Durability.OS, new byte[900]);
            TestProposal second = new TestProposal(1, Durability.OS, new byte[100]);
            assertThat(journal.offer(first)).isTrue();
            assertThat(journal.offer(second)).isFalse();
            release.countDown();
            first.done.get(10, TimeUnit.SECONDS);
            while (journal.queuedBytes() > 0) {
                Thread.onSpinWait();
            }
            assertThat(journal.offer(second)).isTrue();
        }
    }

    @Test
    void shouldRecycleSegmentsAndNeverShowWhatWasInThem() throws Exception {
        RecordingState live = new RecordingState();
        long from = 0;
        try (Journal journal = start(config(), live)) {
            for (int round = 0; round < 20; round++) {
                TestProposal last = null;
                for (int i = 0; i < 100; i++) {
                    last = text(1, Durability.OS, "round " + round + " record " + i + "z".repeat(400));
                    assertThat(journal.offer(last)).isTrue();
                }
                from = last.done.get(10, TimeUnit.SECONDS);
                journal.sync();
                journal.recycleBefore(from);
            }
            assertThat(Storage.disk().list(config().directory())).hasSizeLessThan(8);
        }
        RecordingState replayed = new RecordingState();
        try (Journal journal = Journal.open(config(), Storage.disk())) {
            journal.replay(from, replayed);
        }
        int n = live.records.size();
        assertThat(replayed.records)
                .isEqualTo(live.records.subList(n - replayed.records.size(), n))
                .isNotEmpty();
    }

    @Test
    void shouldMarkAQuietJournalAsDurableOnce() throws Exception {
        RecordingState live = new RecordingState();
        try (Journal journal = start(config().withFlushIntervalMs(5), live)) {
            TestProposal only = text(1, Durability.OS, "x");
            journal.offer(only);
            long end = only.done.get(10, TimeUnit.SECONDS) + RecordFormat.HEADER_BYTES + 1;
            long marked = end + RecordFormat.HEADER_BYTES;
            while (live.lastEnd() < marked) {
                Thread.onSpinWait();
            }
            journal.sync();
            CountDownLatch later = new CountDownLatch(1);
            journal.execute(later::countDown);
            later.await();
            assertThat(journal.endPosition()).isEqualTo(marked);
            assertThat(live.lastEnd()).isEqualTo(marked);
        }
        RecordingState replayed = new RecordingState();
        start(config(), replayed).close();
        assertThat(replayed.records).containsExactly("1:x");
    }

    @Test
    void shouldRefuseOffersOnceClosed() throws Exception {
        Journal journal = start(config(), new RecordingState());
        journal.close();
        assertThatThrownBy(() -> journal.offer(text(1, Durability.OS, "late")))
                .isInstanceOf(JournalClosedException.class);
        assertThatThrownBy(() -> journal.execute(() -> {})).isInstanceOf(JournalClosedException.class);
    }

    @Test
    void shouldStopWhenTheStateMachineThrows() throws Exception {
        CompletableFuture<Throwable> fatal = new CompletableFuture<>();
        Journal journal = Journal.open(config(), Storage.disk());
        StateMachine broken = new StateMachine() {
            @Override
            public void apply(long position, int epoch, byte type, java.nio.ByteBuffer body, Proposal proposal) {
                throw new IllegalStateException("planted");
            }

            @Override
            public void endOfBatch(long position) {}
        };
        journal.replay(0, broken);
        journal.start(broken, fatal::complete);
        TestProposal proposal = text(1, Durability.OS, "x");
        journal.offer(proposal);
        assertThat(fatal.get(10, TimeUnit.SECONDS)).hasMessage("planted");
        assertThatThrownBy(() -> proposal.done.get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(JournalClosedException.class);
        assertThatThrownBy(() -> journal.offer(text(1, Durability.OS, "y"))).isInstanceOf(JournalClosedException.class);
        journal.close();
    }

    @Test
    void shouldKeepTheOrderOfEachSender() throws Exception {
        RecordingState live = new RecordingState();
        try (Journal journal = start(config(), live)) {
            List<Thread> senders = new ArrayList<>();
            for (int s = 0; s < 4; s++) {
                int sender = s;
                senders.add(new Thread(() -> {
                    for (int i = 0; i < 2000; i++) {
                        journal.offer(text(1 + sender, Durability.OS, String.format("%05d", i)));
                    }
                }));
            }
            senders.forEach(Thread::start);
            for (Thread sender : senders) {
                sender.join();
            }
        }
        assertThat(live.records).hasSize(8000);
        for (int s = 1; s <= 4; s++) {
            String prefix = s + ":";
            assertThat(live.records.stream().filter(r -> r.startsWith(prefix)).toList())
                    .isSorted()
                    .hasSize(2000);
        }
    }

    private static void awaitUnchecked(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
