package io.metaq.tck.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import io.metaq.tck.harness.Ledger;
import io.metaq.tck.harness.Load;
import io.metaq.tck.harness.LoadPlan;
import io.metaq.tck.harness.LogReader;
import io.metaq.tck.harness.StoredMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Old messages go by whole segments, while producers and readers are at work. */
class RetentionTest {
    private static final String EVERY_SECOND = "* * * * * ?";

    @TempDir
    Path directory;

    @Test
    void shouldKeepTheNewestBytesOnlyAndSendReadersToThem() throws IOException {
        var files = files(Map.of("retentionBytes", "300000", "deletePolicy", "delete,168"));
        try (var broker = BrokerProcess.start(files)) {
            var last = fill(broker, 1500);
            await().atMost(Duration.ofSeconds(20)).until(() -> firstOffset(broker) > 0);
            try (var wire = broker.wire()) {
                var moved = wire.ask("get short g 0 0 100000");
                assertThat(moved.code()).isEqualTo(301);
                var left = LogReader.read(wire, "short", 0, 0);
                assertThat(left.get(0).offset()).isEqualTo(Long.parseLong(moved.text()));
                assertThat(left.get(left.size() - 1).id()).isEqualTo(last.id());
            }
        }
    }

    @Test
    void shouldKeepWhatIsYoungerThanTheAge() throws IOException {
        var files = files(Map.of("deletePolicy", "delete,2s"));
        try (var broker = BrokerProcess.start(files)) {
            fill(broker, 1000);
            long end = lastOffset(broker);
            await().atMost(Duration.ofSeconds(30)).until(() -> firstOffset(broker) > 0);
            assertThat(firstOffset(broker)).isLessThanOrEqualTo(end);
            var fresh = fill(broker, 1);
            try (var wire = broker.wire()) {
                var left = LogReader.read(wire, "short", 0, 0);
                assertThat(left.get(left.size() - 1).id()).isEqualTo(fresh.id());
            }
        }
    }

    @Test
    void shouldArchiveWhatItWouldDelete() throws IOException {
        var files = files(Map.of("deletePolicy", "archive,1s"));
        try (var broker = BrokerProcess.start(files)) {
            fill(broker, 1000);
            await().atMost(Duration.ofSeconds(30)).until(() -> firstOffset(broker) > 0);
            await().atMost(Duration.ofSeconds(10)).until(() -> !archived(files).isEmpty());
        }
    }

    /** A reader that is overtaken is told where to go on; what it gets is whole and in order. */
    @Test
    void shouldServeReadersWhileSegmentsGo() throws IOException {
        var files = files(Map.of("retentionBytes", "300000"));
        var ledger = new Ledger();
        try (var broker = BrokerProcess.start(files);
                var load = Load.start(LoadPlan.to(files.port(), "short", 1), ledger, 1);
                var wire = broker.wire()) {
            for (int i = 0; i < 10; i++) {
                load.awaitMore(300);
                long previous = -1;
                for (var message : LogReader.read(wire, "short", 0, 0)) {
                    long number = Long.parseLong(message.text().split(":")[1]);
                    assertThat(number).isGreaterThan(previous);
                    previous = number;
                }
            }
            load.stop();
            await().atMost(Duration.ofSeconds(20)).until(() -> firstOffset(broker) > 0);
        }
    }

    private BrokerFiles files(Map<String, String> settings) {
        var all = new java.util.HashMap<>(settings);
        all.put("numPartitions", "1");
        all.put("unflushThreshold", "1000");
        all.put("maxSegmentSize", "65536");
        all.put("deleteWhen", EVERY_SECOND);
        return BrokerFiles.in(directory).topic("short", all);
    }

    /** Puts messages of a thousand bytes; gives the last as it is stored. */
    private static StoredMessage fill(BrokerProcess broker, int messages) throws IOException {
        try (var wire = broker.wire()) {
            String[] place = {};
            byte[] body = {};
            for (int i = 0; i < messages; i++) {
                body = Ledger.body("filler", i, 1000);
                var reply = wire.ask("put short 0 1000 0 %d".formatted(StoredMessage.checksum(body)), body);
                assertThat(reply.ok()).as(reply.text()).isTrue();
                place = reply.text().split(" ");
            }
            return LogReader.read(wire, "short", 0, Long.parseLong(place[2])).get(0);
        }
    }

    private static long firstOffset(BrokerProcess broker) throws IOException {
        return offsets(broker)[4];
    }

    private static long lastOffset(BrokerProcess broker) throws IOException {
        return offsets(broker)[6];
    }

    /** Numbers of the line {@code short part 0 min_offset N max_offset N} of {@code stats offsets}, by the place of the word. */
    private static long[] offsets(BrokerProcess broker) throws IOException {
        try (var wire = broker.wire()) {
            String line = wire.ask("stats offsets")
                    .text()
                    .lines()
                    .filter(one -> one.startsWith("short "))
                    .findFirst()
                    .orElseThrow();
            return Stream.of(line.split(" "))
                    .mapToLong(word -> word.matches("\\d+") ? Long.parseLong(word) : -1)
                    .toArray();
        }
    }

    private static List<Path> archived(BrokerFiles files) throws IOException {
        try (Stream<Path> all = Files.walk(files.data())) {
            return all.filter(file -> file.getFileName().toString().matches(".*\\.(arc|zip)"))
                    .toList();
        }
    }
}
