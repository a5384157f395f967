package io.metaq.testkit.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.log.file.StorageFullException;
import io.metaq.log.journal.Durability;
import io.metaq.log.journal.JournalClosedException;
import io.metaq.log.journal.JournalDamagedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class JournalFaultsTest {

    private static final int SEGMENT_HEADER_BYTES = 4096;

    private record Written(SimulatedStorage storage, List<String> texts, List<Long> ends) {}

    /** A few hundred mixed records over several segments. */
    private static Written write(int records, boolean close) throws Exception {
        SimulatedStorage storage = new SimulatedStorage();
        Random random = new Random(42);
        JournalRun run = JournalRun.start(storage);
        JournalRun.Text last = null;
        for (int i = 0; i < records; i++) {
            String text = "record " + i + " " + "x".repeat(random.nextInt(200));
            last = run.offer(text, random.nextInt(4) == 0 ? Durability.DISK : Durability.OS);
            if (random.nextInt(3) == 0) {
                last.await();
            }
        }
        last.await();
        if (close) {
            run.close();
        }
        return new Written(storage, run.applied.texts(), run.applied.ends());
    }

    private static List<Path> segments(SimulatedStorage storage) throws IOException {
        return storage.list(JournalRun.DIRECTORY).stream()
                .filter(path -> path.getFileName().toString().matches("[0-9]{20}\\.journal"))
                .toList();
    }

    /** Position of the first record, -1 for a file that is not a segment in use. */
    private static long base(Path segment) {
        String name = segment.getFileName().toString();
        return name.matches("[0-9]{20}\\.journal") ? Long.parseLong(name.substring(0, 20)) : -1;
    }

    private static void assertPrefix(List<String> found, List<String> all, String what) {
        assertThat(found.size()).as(what).isLessThanOrEqualTo(all.size());
        assertThat(found).as(what).isEqualTo(all.subList(0, found.size()));
    }

    @Test
    void shouldFindAPrefixWhereverTheJournalIsCut() throws Exception {
        Written written = write(300, true);
        List<Path> segments = segments(written.storage());
        assertThat(segments).hasSizeGreaterThan(2);
        long end = written.ends().get(written.ends().size() - 1);
        for (int s = 0; s < segments.size(); s++) {
            Path cutIn = segments.get(s);
            byte[] content = written.storage().content(cutIn);
            long segmentEnd = s + 1 < segments.size() ? base(segments.get(s + 1)) : end;
            int used = (int) (segmentEnd - base(cutIn)) + SEGMENT_HEADER_BYTES;
            for (int cut = s == 0 ? 0 : SEGMENT_HEADER_BYTES; cut <= used; cut++) {
                SimulatedStorage copy = written.storage().copy();
                copy.replaceContent(cutIn, Arrays.copyOf(content, cut));
                for (Path later : segments.subList(s + 1, segments.size())) {
                    copy.delete(later);
                }
                long position = base(cutIn) + cut - SEGMENT_HEADER_BYTES;
                long whole = written.ends().stream().filter(e -> e <= position).count();
                List<String> found = JournalRun.recover(copy);
                assertPrefix(found, written.texts(), "cut at " + cutIn + " " + cut);
                assertThat(found).hasSize((int) whole);
            }
        }
    }

    @Test
    void shouldRefuseOrCutButNeverLoseDurableRecordsWhicheverByteIsDamaged() throws Exception {
        Written written = write(200, true); // after a clean stop all records are known to be durable
        List<Path> segments = segments(written.storage());
        int refused = 0;
        for (Path segment : segments) {
            byte[] content = written.storage().content(segment);
            for (int at = 0; at < content.length; at += 3) {
                SimulatedStorage copy = written.storage().copy();
                byte[] damaged = content.clone();
                damaged[at] ^= (byte) (1 << at % 8);
                copy.replaceContent(segment, damaged);
                try {
                    assertThat(JournalRun.recover(copy))
                            .as("%s byte %s", segment, at)
                            .isEqualTo(written.texts());
                } catch (JournalDamagedException e) {
                    refused++;
                    assertThat(e).hasMessageContaining("metaq log salvage");
                    assertThat(copy.content(segment)).as("left as it was").isEqualTo(damaged);
                }
            }
        }
        long recordBytes = written.ends().get(written.ends().size() - 1);
        assertThat(refused).isGreaterThan((int) (recordBytes / 3) - 10);
    }

    @Test
    void shouldAppendAfterATornTailAndShowNothingOfIt() throws Exception {
        Written written = write(60, true);
        Path segment = segments(written.storage()).get(0);
        byte[] content = written.storage().content(segment);
        int used = (int) (long) written.ends().get(59) + SEGMENT_HEADER_BYTES;
        int from = (int) (long) written.ends().get(56) + SEGMENT_HEADER_BYTES;
        for (int cut = from; cut < used; cut++) {
            SimulatedStorage copy = written.storage().copy();
            byte[] torn = Arrays.copyOf(content, content.length);
            Arrays.fill(torn, cut, torn.length, (byte) 0);
            copy.replaceContent(segment, torn);
            List<String> expected = new ArrayList<>();
            try (JournalRun run = JournalRun.start(copy)) {
                expected.addAll(run.applied.texts());
                assertPrefix(expected, written.texts(), "cut at " + cut);
                for (int i = 0; i < 10; i++) {
                    run.offer("new " + i, Durability.DISK);
                    expected.add("new " + i);
                }
            }
            assertThat(JournalRun.recover(copy)).isEqualTo(expected);
        }
    }

    @Test
    void shouldKeepEveryDurableRecordThroughAPowerCutAtAnySync() throws Exception {
        for (int k = 1; k <= 60; k++) {
            for (long seed = 0; seed < 4; seed++) {
                cutPowerAtSync(k, seed);
            }
        }
    }

    private static void cutPowerAtSync(int k, long seed) throws Exception {
        String what = "sync " + k + " seed " + seed;
        Random random = new Random(seed * 1000 + k);
        SimulatedStorage storage = new SimulatedStorage();
        List<JournalRun.Text> durable = new ArrayList<>();
        JournalRun run;
        storage.faults().powerOffAtSync(k);
        try {
            run = JournalRun.start(storage);
        } catch (IOException e) {
            JournalRun.recover(storage.powerCut(random));
            return;
        }
        List<String> offered = new ArrayList<>();
        long from = 0;
        int recycled = 0;
        try {
            for (int i = 0; i < 400; i++) {
                if (i % 100 == 99) {
                    offered.add("checkpoint");
                    from = run.offer("checkpoint", Durability.DISK).await();
                    recycled = offered.size() - 1;
                    run.journal.recycleBefore(from);
                }
                String text = i + " " + "x".repeat(random.nextInt(300));
                boolean disk = random.nextInt(3) == 0;
                JournalRun.Text proposal = run.offer(text, disk ? Durability.DISK : Durability.OS);
                offered.add(text);
                if (disk) {
                    durable.add(proposal);
                    if (random.nextBoolean()) {
                        proposal.await();
                    }
                }
            }
        } catch (JournalClosedException | ExecutionException | IOException e) {
            assertThat(run.fatal.get(10, TimeUnit.SECONDS)).as(what).isNotNull();
        }
        SimulatedStorage survivor = storage.powerCut(random);
        long acknowledged =
                durable.stream().filter(JournalRun.Text::acknowledged).count();
        run.close();
        List<String> found = JournalRun.recover(survivor, from);
        assertPrefix(found, offered.subList(recycled, offered.size()), what);
        if (acknowledged > 0) {
            long last = durable.get((int) acknowledged - 1).position();
            assertThat(run.applied.ends().stream().filter(e -> e <= last).count())
                    .as(what)
                    .isLessThan(recycled + found.size());
        }
        assertThat(JournalRun.recover(survivor, from)).as("%s, once more", what).isEqualTo(found);
    }

    @Test
    void shouldLeaveServiceAtTheFirstFailedSync() throws Exception {
        SimulatedStorage storage = new SimulatedStorage();
        JournalRun run = JournalRun.start(storage);
        run.offer("safe", Durability.DISK).await();
        storage.faults().failSync(1);
        JournalRun.Text failed = run.offer("lost", Durability.DISK);
        assertThatThrownBy(failed::await).hasCauseInstanceOf(JournalClosedException.class);
        assertThat(run.fatal.get(10, TimeUnit.SECONDS)).hasMessageContaining("Input/output error");
        assertThatThrownBy(() -> run.offer("late", Durability.OS)).isInstanceOf(JournalClosedException.class);
        assertThatThrownBy(run.journal::sync).hasMessageContaining("Input/output error");
        run.close();
        assertThat(JournalRun.recover(storage.copy())).startsWith("safe");
    }

    @Test
    void shouldLeaveServiceWhenABackgroundSyncFails() throws Exception {
        SimulatedStorage storage = new SimulatedStorage();
        JournalRun run = JournalRun.start(JournalRun.CONFIG.withFlushIntervalMs(5), storage);
        storage.faults().failSync(1);
        run.offer("written only", Durability.OS);
        assertThat(run.fatal.get(10, TimeUnit.SECONDS)).hasMessageContaining("Input/output error");
        run.close();
    }

    @Test
    void shouldSyncInTheBackgroundWhatNobodyWaitsFor() throws Exception {
        SimulatedStorage storage = new SimulatedStorage();
        JournalRun run = JournalRun.start(JournalRun.CONFIG.withFlushIntervalMs(5), storage);
        long position = run.offer("written only", Durability.OS).await();
        while (run.journal.durablePosition() <= position) {
            Thread.onSpinWait();
        }
        SimulatedStorage survivor = storage.powerCut(new Random(1));
        run.close();
        assertThat(JournalRun.recover(survivor)).containsExactly("written only");
    }

    @Test
    void shouldLeaveServiceAtAWriteError() throws Exception {
        SimulatedStorage storage = new SimulatedStorage();
        JournalRun run = JournalRun.start(storage);
        storage.faults().onWrite(path -> new IOException("Input/output error"));
        assertThatThrownBy(run.offer("x", Durability.OS)::await).hasCauseInstanceOf(JournalClosedException.class);
        assertThat(run.fatal.get(10, TimeUnit.SECONDS)).hasMessageContaining("Input/output error");
        run.close();
    }

    @Test
    void shouldRefuseMessagesOnAFullDiskTakeEssentialRecordsAndHeal() throws Exception {
        SimulatedStorage storage = new SimulatedStorage();
        storage.faults().capacity(3 * (16 << 10));
        List<String> stored = new ArrayList<>();
        try (JournalRun run = JournalRun.start(storage)) {
            fill(run, stored);
            assertThat(run.journal.full()).isTrue();
            for (int i = 0; i < 5; i++) {
                run.offer(new JournalRun.Text("ack " + i, Durability.DISK, true))
                        .await();
                stored.add("ack " + i);
            }
            assertThat(run.fatal).isNotDone();
            storage.faults().capacity(100 * (16 << 10));
            while (run.journal.full()) {
                Thread.onSpinWait();
            }
            run.offer("healed", Durability.DISK).await();
            stored.add("healed");
        }
        assertThat(JournalRun.recover(storage)).isEqualTo(stored);
    }

    private static void fill(JournalRun run, List<String> stored) throws Exception {
        for (int i = 0; i < 10_000; i++) {
            String text = "message " + i + "x".repeat(300);
            try {
                run.offer(text, Durability.OS).await();
                stored.add(text);
            } catch (ExecutionException e) {
                assertThat(e).hasCauseInstanceOf(StorageFullException.class);
                return;
            }
        }
        throw new AssertionError("the disk never filled up");
    }

    @Test
    void shouldForgetRefusedRecordsOfAHalfWrittenBatch() throws Exception {
        SimulatedStorage storage = new SimulatedStorage();
        List<String> stored = new ArrayList<>();
        try (JournalRun run = JournalRun.start(storage)) {
            for (int round = 0; round < 20; round++) {
                storage.faults().onWrite(path -> base(path) < 0 ? null : new StorageFullException("planted"));
                List<JournalRun.Text> refused = new ArrayList<>();
                for (int i = 0; i < 10; i++) {
                    refused.add(run.offer("refused " + i + "y".repeat(50), Durability.OS));
                }
                for (JournalRun.Text text : refused) {
                    assertThatThrownBy(text::await).hasCauseInstanceOf(StorageFullException.class);
                }
                storage.faults().onWrite(path -> null);
                String text = "taken " + round + "z".repeat(52);
                run.offer(text, Durability.OS).await();
                stored.add(text);
                assertThat(JournalRun.recover(storage.copy())).isEqualTo(stored);
            }
        }
        assertThat(JournalRun.recover(storage)).isEqualTo(stored);
    }

    @Test
    void shouldStartOnAFullDisk() throws Exception {
        Written written = write(100, true);
        SimulatedStorage storage = written.storage().copy();
        storage.faults().capacity(storage.used());
        try (JournalRun run = JournalRun.start(storage)) {
            assertThat(run.applied.texts()).isEqualTo(written.texts());
            run.offer(new JournalRun.Text("ack", Durability.DISK, true)).await();
        }
    }

    @Test
    void shouldKeepValidRecordsBehindATornPlaceInTheAttic() throws Exception {
        SimulatedStorage storage = new SimulatedStorage();
        JournalRun run = JournalRun.start(storage);
        run.offer("a", Durability.DISK).await();
        long torn = run.offer("b", Durability.OS).await();
        run.offer("c", Durability.OS).await();
        SimulatedStorage crashed = storage.copy();
        storage.powerCut(new Random(1));
        run.close();
        Path segment = segments(crashed).get(0);
        byte[] content = crashed.content(segment);
        content[(int) torn + SEGMENT_HEADER_BYTES + 32] ^= 1;
        crashed.replaceContent(segment, content);
        assertThat(JournalRun.recover(crashed)).containsExactly("a");
        List<Path> attic = crashed.list(Path.of("/data/attic"));
        assertThat(attic).hasSize(1);
        assertThat(new String(crashed.content(attic.get(0)), java.nio.charset.StandardCharsets.ISO_8859_1))
                .endsWith("c");
        assertThat(JournalRun.recover(crashed)).containsExactly("a");
    }
}
