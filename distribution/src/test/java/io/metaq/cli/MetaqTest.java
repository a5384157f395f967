package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.testkit.net.ClosedPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetaqTest {
    @TempDir
    private Path dir;

    @Test
    void shouldShowTheUsageWithoutACommand() {
        CommandRun run = CommandRun.of();

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .contains("Usage: metaq")
                .contains(
                        "start", "stop", "status", "demo", "topic", "produce", "consume", "browse", "group", "stats",
                        "config");
    }

    @Test
    void shouldPrintItsVersion() {
        CommandRun run = CommandRun.of("version");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).matches("MetaQ \\d+\\.\\d+\\.\\d+.*, Java \\d+.*\\R");
        assertThat(CommandRun.of("--version").out()).startsWith("MetaQ ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "prodce t | metaq: Unmatched arguments from index 0: 'prodce', 't'",
                "produce | metaq: Missing required parameter: 'TOPIC'",
                "topic | metaq: give one of: create, list, describe, alter, delete, close, open",
                "group reset g --topic t | metaq: Missing required option: '--to=WHERE'",
                "consume t --from yesterday | metaq: Invalid value for option '--from': 'yesterday' is no place to begin; give first, last,",
                "consume t --format xml | metaq: Invalid value for option '--format': expected one of [LINES, JSON, RAW]",
                "stats --server host:port | metaq: 'host:port' is not a broker address: give host:port",
                "topic alter t | metaq: nothing to change; give --partitions N or --set KEY=VALUE",
                "group reset g --topic t --to noon:1 | metaq: 'noon:1' is no place to go to; give first, last, an offset, time:T",
            })
    void shouldSayInOneLineWhatIsWrongWithACommandLine(String arguments, String line) {
        CommandRun run = CommandRun.of(arguments.split(" "));

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).startsWith(line).doesNotContain("Exception").doesNotContain("\tat ");
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldSayThatNoBrokerAnswers() throws IOException {
        try (ClosedPort nobody = new ClosedPort()) {
            String server = nobody.address();
            for (String command : List.of("topic list", "consume t", "stats", "browse t", "group list")) {
                CommandRun run = CommandRun.of((command + " --server " + server).split(" "));

                assertThat(run.exitCode()).as(command).isEqualTo(ExitCode.FAILED);
                assertThat(run.err())
                        .as(command)
                        .startsWith("metaq: no broker answers")
                        .contains(server, "metaq start");
                assertThat(run.err().lines()).as(command).hasSize(1);
            }
        }
    }

    @Test
    void shouldSayThatAFileIsMissing() {
        CommandRun run = CommandRun.of("config", "check", "no-such.ini");

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(run.err()).isEqualToIgnoringNewLines("metaq: there is no file no-such.ini");
    }

    @Test
    void shouldCheckAConfigurationFile() throws IOException {
        Path wrong = Files.writeString(dir.resolve("wrong.ini"), "[system]\nservrPort=1\nquartzThreadCount=5\n");
        Path right = Files.writeString(dir.resolve("right.ini"), "[system]\nserverPort=1\n");

        CommandRun found = CommandRun.of("config", "check", wrong.toString());
        CommandRun clean = CommandRun.of("config", "check", right.toString());

        assertThat(found.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(found.out().lines())
                .hasSize(2)
                .anySatisfy(line ->
                        assertThat(line).endsWith(":2: [system] servrPort: unknown key; did you mean serverPort?"))
                .anySatisfy(
                        line -> assertThat(line).startsWith("warning: ").contains("quartzThreadCount: has no effect"));
        assertThat(clean.exitCode()).isZero();
        assertThat(clean.out()).isEqualToIgnoringNewLines(right + ": a broker starts with it");
    }

    @Test
    void shouldShowWhatIsInForce() throws IOException {
        Path file =
                Files.writeString(dir.resolve("server.ini"), "[system]\nbrokerId=3+4\n[topic=t]\nnumPartitions=9\n");

        CommandRun run = CommandRun.of("config", "show", file.toString());

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains("brokerId=7", "serverPort=8123", "zk.zkEnable=false", "[topic=t]", "numPartitions=9");
        assertThat(CommandRun.of("config", "show", "--describe", file.toString())
                        .out())
                .contains("# Give a whole number from 0 to 1023");
    }

    @Test
    void shouldRefuseToStartWithAWrongConfiguration() throws IOException {
        Path file = Files.writeString(dir.resolve("server.ini"), "[system]\nserverPort=99999\nbrokrId=1\n");

        CommandRun run = CommandRun.of("start", "--config", file.toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(run.err().lines()).hasSize(2);
        assertThat(run.err())
                .contains("[system] serverPort: '99999' is above 65535; give a whole number from 0 to 65535");
    }

    @Test
    void shouldSayThatNoBrokerIsRunning() throws IOException {
        Path file = Files.writeString(dir.resolve("server.ini"), "[system]\ndataPath=" + dir + "\n");

        CommandRun status = CommandRun.of("status", "--config", file.toString());
        CommandRun stop = CommandRun.of("stop", "--config", file.toString());

        assertThat(status.exitCode()).isEqualTo(ExitCode.NOT_RUNNING);
        assertThat(status.out()).isEqualToIgnoringNewLines("no broker is running on " + dir);
        assertThat(stop.exitCode()).isEqualTo(ExitCode.NOT_RUNNING);
        assertThat(stop.err()).isEqualToIgnoringNewLines("metaq: no broker is running on " + dir);
    }
}
