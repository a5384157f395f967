package io.metaq.tck.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.client.MetaqClient;
import io.metaq.client.subscription.Enlistment;
import io.metaq.client.subscription.SubscriberLink;
import io.metaq.client.subscription.TransactionStep;
import io.metaq.protocol.TransactionKey;
import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import io.metaq.tck.harness.Unconcerned;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Very many small transactions, most of a single message, while a hundred readers follow: nobody sees anything of a transaction that is
 * not committed, all of what is, and once. Two transactions that are left open all the time hold up nobody, and neither time nor memory
 * grows with the number of those that have ended.
 */
class ManyTransactionsTest {
    private static final int TRANSACTIONS = Integer.getInteger("tck.transactions", 5_000);

    /** Whether it is so many that rates and memory mean something. */
    private static final boolean LARGE = TRANSACTIONS >= 500_000;

    private static final int READERS = 100;
    private static final int PARTS = 10;
    private static final long PATIENCE_MS = 120_000;
    private static final TransactionKey.Xa LEFT_PREPARED = new TransactionKey.Xa(1, "0a", "01", "left");
    private static final TransactionKey.Xa LEFT_OPEN = new TransactionKey.Xa(1, "0a", "02", "left");
    private static final Pattern USED = Pattern.compile("(?:generation|heap)\\s+total \\d+K, used (\\d+)K");

    @TempDir
    Path directory;

    private final AtomicLong ended = new AtomicLong();

    @Test
    @Timeout(3600)
    void shouldShowReadersAllOfEachCommittedTransactionAndNothingElse() throws Exception {
        var files = BrokerFiles.in(directory)
                .set("journalSegmentSize", 64 * 1024 * 1024)
                .diskTopic(TransactionWriter.FLOW, TransactionWriter.WRITERS)
                .diskTopic(TransactionWriter.PAIRS, 2);
        try (var broker = BrokerProcess.start(files, "-XX:TieredStopAtLevel=4");
                var client = client(broker);
                var left = client.subscriber(new Unconcerned())) {
            leaveOpen(left);
            List<TransactionWriter> writers = startWriters(client);
            List<TransactionReader> readers = startReaders(broker);
            var pairs = new PairReader(client);
            pairs.start();

            String figures = follow(broker);
            for (TransactionWriter writer : writers) {
                writer.await(PATIENCE_MS);
            }
            for (TransactionReader reader : readers) {
                reader.await(writers.get(reader.partition()).committed(), PATIENCE_MS);
            }
            pairs.await(writers.stream().mapToInt(TransactionWriter::pairs).sum(), PATIENCE_MS);
            System.out.println(figures);

            assertThat(listed(broker)).as("those that were left open").hasSize(2);
            decide(left);
            await().atMost(Duration.ofMillis(PATIENCE_MS))
                    .untilAsserted(() -> assertThat(readers).allMatch(TransactionReader::hasSeenTheLeftOne));
            assertThat(listed(broker)).isEmpty();
            for (TransactionReader reader : readers) {
                reader.close();
            }
        }
    }

    private static MetaqClient client(BrokerProcess broker) {
        return MetaqClient.builder().servers("127.0.0.1:" + broker.port()).build();
    }

    /** One that is prepared and one that is not, each with a message for every partition that is read. */
    private static void leaveOpen(SubscriberLink link) {
        link.ready().join();
        for (TransactionKey.Xa key : List.of(LEFT_PREPARED, LEFT_OPEN)) {
            var parts = TransactionWriter.marks(key == LEFT_PREPARED);
            var then = key == LEFT_PREPARED ? Enlistment.Then.PREPARE : Enlistment.Then.NOTHING;
            link.enlist(new Enlistment(key, parts, then, 0, false)).join();
        }
    }

    private static void decide(SubscriberLink link) {
        link.transaction(LEFT_PREPARED, TransactionStep.COMMIT_TWO_PHASE).join();
        link.transaction(LEFT_OPEN, TransactionStep.ROLLBACK).join();
    }

    private List<TransactionWriter> startWriters(MetaqClient client) {
        List<TransactionWriter> writers = new ArrayList<>();
        for (int w = 0; w < TransactionWriter.WRITERS; w++) {
            var writer = new TransactionWriter(client, w, TRANSACTIONS / TransactionWriter.WRITERS, ended);
            writer.start();
            writers.add(writer);
        }
        return writers;
    }

    private static List<TransactionReader> startReaders(BrokerProcess broker) {
        List<TransactionReader> readers = new ArrayList<>();
        for (int r = 0; r < READERS; r++) {
            var reader = new TransactionReader(client(broker), r % TransactionWriter.WRITERS);
            reader.start();
            readers.add(reader);
        }
        return readers;
    }

    /** Waits until all transactions have ended; what they took, by tenths. */
    private String follow(BrokerProcess broker) throws IOException {
        List<Double> rates = new ArrayList<>();
        long heapEarly = 0;
        int most = 0;
        long before = System.nanoTime();
        long endedBefore = 0;
        for (int part = 1; part <= PARTS; part++) {
            long target = (long) TRANSACTIONS / PARTS * part;
            await().atMost(Duration.ofMinutes(30))
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> ended.get() >= target);
            long now = System.nanoTime();
            rates.add((ended.get() - endedBefore) * 1e9 / (now - before));
            endedBefore = ended.get();
            before = now;
            most = Math.max(most, listed(broker).size());
            heapEarly = part == 1 ? heapKilobytes(broker) : heapEarly;
        }
        long heapLate = heapKilobytes(broker);
        double early = average(rates.subList(1, 4));
        double late = average(rates.subList(PARTS - 3, PARTS));
        if (LARGE) {
            assertThat(late).as("rates by tenths %s", rates).isGreaterThan(0.5 * early);
            assertThat(heapLate).as("kB of heap").isLessThan(heapEarly + 32 * 1024);
        }
        assertThat(most).as("transactions in the broker's table").isLessThan(2 + TransactionWriter.MOST_UNDER_WAY);
        return "%,d transactions, %d readers: at first %,.0f/s, in the end %,.0f/s (%s); heap %d MB, then %d MB; at most %d in the table"
                .formatted(TRANSACTIONS, READERS, early, late, rounded(rates), heapEarly / 1024, heapLate / 1024, most);
    }

    private static double average(List<Double> rates) {
        return rates.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    private static List<Long> rounded(List<Double> rates) {
        return rates.stream().map(Math::round).toList();
    }

    private static List<String> listed(BrokerProcess broker) throws IOException {
        try (var wire = broker.wire()) {
            return wire.ask("tx list *").text().lines().toList();
        }
    }

    /** What the broker's heap holds after a collection. */
    private static long heapKilobytes(BrokerProcess broker) throws IOException {
        jcmd(broker, "GC.run");
        Matcher used = USED.matcher(jcmd(broker, "GC.heap_info"));
        long total = 0;
        while (used.find()) {
            total += Long.parseLong(used.group(1));
        }
        assertThat(total).isPositive();
        return total;
    }

    private static String jcmd(BrokerProcess broker, String command) throws IOException {
        String tool = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Process asked = new ProcessBuilder(tool, Long.toString(broker.pid()), command)
                .redirectErrorStream(true)
                .start();
        return new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
