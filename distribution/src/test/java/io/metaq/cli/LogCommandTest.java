package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogCommandTest {
    private static final int RECORD_HEADER = 32;
    private static final Pattern PLACE = Pattern.compile("file=(\\S+)@(\\d+)");

    @TempDir
    private Path dir;

    private Path config;

    /** Leaves the files as a broker leaves them that has no time for a checkpoint. */
    @BeforeEach
    void fillABroker() throws Exception {
        Path live = configuration(Files.createDirectory(dir.resolve("live")));
        config = configuration(dir);
        try (Broker broker = Broker.start(BrokerConfig.load(live))) {
            String server = "127.0.0.1:" + broker.port();
            CommandRun.of("topic", "create", "t", "--server", server);
            for (int i = 0; i < 10; i++) {
                byte[] message = ("message " + i).getBytes(StandardCharsets.UTF_8);
                CommandRun.withInput(message, "produce", "t", "--server", server);
            }
            copy(dir.resolve("live/data"), dir.resolve("data"));
            copy(dir.resolve("live/other-disk"), dir.resolve("other-disk"));
        }
    }

    private static Path configuration(Path where) throws IOException {
        return Files.write(
                where.resolve("server.ini"),
                List.of(
                        "[system]",
                        "serverPort=0",
                        "diskWatermarkBytes=0",
                        "journalSegmentSize=34*1024*1024",
                        "dataPath=" + where.resolve("data"),
                        "dataLogPath=" + where.resolve("other-disk")));
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> tree = Files.walk(from)) {
            for (Path path : tree.toList()) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
    }

    @Test
    void shouldFindNothingWrongWithSoundFiles() {
        CommandRun verify = run("log", "verify");

        assertThat(verify.exitCode()).isZero();
        assertThat(verify.out()).contains("1 partitions read, 0 damaged ranges");
        assertThat(run("log", "dump").out().lines().filter(line -> line.contains("type=1")))
                .hasSizeGreaterThanOrEqualTo(10);
    }

    /** The whole way of an operator: the start is refused, the command it names helps, nothing is thrown away. */
    @Test
    void shouldSalvageADamagedJournal() throws Exception {
        damageRecord(5);

        assertThatThrownBy(() -> Broker.start(BrokerConfig.load(config)))
                .hasMessageContaining(".journal")
                .hasMessageContaining("metaq log salvage");
        CommandRun verify = run("log", "verify");
        CommandRun salvage = run("log", "salvage");

        assertThat(verify.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(verify.out()).contains("damaged: ").contains(".journal: byte ");
        assertThat(salvage.exitCode()).isZero();
        assertThat(salvage.out()).contains("lost: ", "copied to: ", "1 damaged ranges taken out of service");
        try (Broker broker = Broker.start(BrokerConfig.load(config))) {
            assertThat(broker.port()).isPositive();
        }
    }

    @Test
    void shouldShowTheMessagesOfAPartitionLog() throws IOException {
        Path segment;
        try (Stream<Path> tree = Files.walk(dir.resolve("data/partitions"))) {
            segment = tree.filter(path -> path.toString().endsWith(".log"))
                    .findFirst()
                    .orElseThrow();
        }

        assertThat(run("log", "dump", segment.toString()).out().lines())
                .hasSize(10)
                .allMatch(line -> line.contains("length=9"));
    }

    @Test
    void shouldNeedADataDirectory() throws IOException {
        Path empty = Files.writeString(dir.resolve("empty.ini"), "[system]\ndataPath=" + dir.resolve("nowhere") + "\n");

        CommandRun run = CommandRun.of("log", "verify", "--config", empty.toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(run.err()).isEqualToIgnoringNewLines("metaq: there is no data directory " + dir.resolve("nowhere"));
    }

    /** Changes a byte of the body of the n-th record that stores messages. */
    private void damageRecord(int n) throws IOException {
        List<String> lines = run("log", "dump")
                .out()
                .lines()
                .filter(line -> line.contains("type=1"))
                .toList();
        Matcher place = PLACE.matcher(lines.get(n));
        assertThat(place.find()).isTrue();
        Path file = dir.resolve("other-disk/journal").resolve(place.group(1));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {0x55}), Long.parseLong(place.group(2)) + RECORD_HEADER);
        }
    }

    private CommandRun run(String... arguments) {
        List<String> all = new java.util.ArrayList<>(List.of(arguments));
        all.addAll(List.of("--config", config.toString()));
        return CommandRun.of(all.toArray(String[]::new));
    }
}
