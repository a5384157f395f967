package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.Settings;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Commands against a real broker in this process. Every test has topics of its own. */
class BrokerCommandsTest {
    @TempDir
    private static Path dir;

    private static Broker broker;

    @BeforeAll
    static void startBroker() throws Exception {
        broker = Broker.start(BrokerConfig.builder()
                .dataPath(dir.resolve("data"))
                .serverPort(0)
                .set(Settings.JOURNAL_SEGMENT_SIZE, 34 << 20)
                .set(Settings.DISK_WATERMARK_BYTES, 0L)
                .set(Settings.UNFLUSH_THRESHOLD, 1)
                .build());
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @Test
    void shouldGiveBackLinesAsTheyWere(TestInfo test) {
        String topic = created(test, 1);
        byte[] input = "a\r\n\ncaf\u00e9\n\u0001\u0002\n".getBytes(StandardCharsets.ISO_8859_1);

        CommandRun produced = withInput(input, "produce", topic);
        CommandRun consumed = run("consume", topic);

        assertThat(produced.exitCode()).isZero();
        assertThat(produced.err()).startsWith("sent 4 messages");
        assertThat(consumed.outBytes()).isEqualTo(input);
        assertThat(consumed.err()).startsWith("received 4 messages");
    }

    @Test
    void shouldKeepRawBytes(TestInfo test) throws IOException {
        String topic = created(test, 1);
        byte[] bytes = new byte[300_000];
        new Random(1).nextBytes(bytes);
        Path file = Files.write(dir.resolve("raw"), bytes);

        assertThat(run("produce", topic, file.toString(), "--format", "raw").err())
                .startsWith("sent 1 messages");

        assertThat(run("consume", topic, "--format", "raw").outBytes()).isEqualTo(bytes);
    }

    @Test
    void shouldPipeJsonFromTopicToTopic(TestInfo test) {
        String topic = created(test, 1);
        String copy = created(test, 1, "copy");
        String input = "{\"data\":\"x\",\"attribute\":\"a\",\"flag\":256}\n{\"base64\":\"/wA=\",\"partition\":0}\n";
        withInput(input.getBytes(StandardCharsets.UTF_8), "produce", topic, "--format", "json");

        CommandRun first = run("consume", topic, "--format", "json", "--quiet");
        withInput(first.outBytes(), "produce", copy, "--format", "json");
        CommandRun second = run("consume", copy, "--format", "json");

        assertThat(first.err()).isEmpty();
        assertThat(first.out())
                .contains("\"attribute\":\"a\"", "\"data\":\"x\"", "\"base64\":\"/wA=\"", "\"flag\":257");
        assertThat(second.out().replaceAll("\"id\":\\d+", "").replace(copy, topic))
                .isEqualTo(first.out().replaceAll("\"id\":\\d+", ""));
    }

    @Test
    void shouldKeepTheOrderOfAKeyOverPartitions(TestInfo test) {
        String topic = created(test, 4);
        String lines = numbers(1, 500);

        withInput(lines.getBytes(StandardCharsets.UTF_8), "produce", topic, "--key", "k");

        assertThat(run("consume", topic).out()).isEqualTo(lines);
    }

    @Test
    void shouldBeginWhereItIsTold(TestInfo test) {
        String topic = created(test, 1);
        withInput("1\n2\n3\n".getBytes(StandardCharsets.UTF_8), "produce", topic);

        assertThat(run("consume", topic, "--from", "last").out()).isEmpty();
        assertThat(run("consume", topic, "--from", "offset:21").out()).isEqualTo("2\n3\n");
        assertThat(run("consume", topic, "--from", "time:-1h").out()).isEqualTo("1\n2\n3\n");
        assertThat(run("consume", topic, "--max", "2").out()).isEqualTo("1\n2\n");
    }

    @Test
    void shouldGoOnWhereTheGroupHasGotTo(TestInfo test) {
        String topic = created(test, 2);
        String group = "readers-of-" + test.getTestMethod().orElseThrow().getName();
        withInput(numbers(1, 10).getBytes(StandardCharsets.UTF_8), "produce", topic, "--key", "k");

        CommandRun some = run("consume", topic, "--group", group, "--max", "4");
        CommandRun rest = run("consume", topic, "--group", group);
        CommandRun nothing = run("consume", topic, "--group", group);

        assertThat(some.out()).isEqualTo(numbers(1, 4));
        assertThat(rest.out()).isEqualTo(numbers(5, 10));
        assertThat(nothing.out()).isEmpty();
        assertThat(run("group", "list").out()).contains(group);
        assertThat(run("group", "describe", group).out()).contains(topic + "-0-0", topic + "-0-1");
    }

    @Test
    void shouldMoveAGroupBack(TestInfo test) {
        String topic = created(test, 1);
        String group = "readers-of-" + test.getTestMethod().orElseThrow().getName();
        withInput(numbers(1, 3).getBytes(StandardCharsets.UTF_8), "produce", topic);
        run("consume", topic, "--group", group);

        CommandRun reset = run("group", "reset", group, "--topic", topic, "--to", "first");

        assertThat(reset.out()).isEqualToIgnoringNewLines(topic + "-0-0 0");
        assertThat(run("group", "history", group).out()).contains(topic + "-0-0 63");
        assertThat(run("consume", topic, "--group", group).out()).isEqualTo(numbers(1, 3));
        assertThat(run("group", "delete", group).exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(run("group", "delete", group, "--yes").exitCode()).isZero();
        assertThat(run("group", "list").out()).doesNotContain(group);
    }

    @Test
    void shouldLookAfterTopics(TestInfo test) {
        String topic = created(test, 2);

        assertThat(run("topic", "list", topic + "*").out()).isEqualToIgnoringNewLines(topic + " 2");
        assertThat(run("topic", "alter", topic, "--partitions", "3", "--set", "deletePolicy=delete,24h")
                        .exitCode())
                .isZero();
        assertThat(run("topic", "describe", topic).out())
                .contains("topic " + topic + " on broker 0", "deletePolicy delete,24h", "open");
        CommandRun scrub = run("topic", "scrub", topic, "--partitions", "1-2");
        assertThat(scrub.exitCode()).isZero();
        assertThat(scrub.out()).contains("partition 1 messages 0 damaged 0", "partition 2 messages 0 damaged 0");
        CommandRun unsure = run("topic", "delete", topic);
        assertThat(unsure.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(unsure.err()).contains("this would delete topic " + topic + " with 0 messages for good; add --yes");
        assertThat(run("topic", "delete", topic, "--yes").exitCode()).isZero();
        assertThat(run("topic", "list", topic + "*").out()).isEmpty();
    }

    @Test
    void shouldRefuseWrongSettingsOfATopic(TestInfo test) {
        String topic = test.getTestMethod().orElseThrow().getName();

        CommandRun unknown = run("topic", "create", topic, "--set", "deletePolcy=delete,1h");

        assertThat(unknown.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(unknown.err()).contains("deletePolicy").doesNotContain("\tat ");
    }

    @Test
    void shouldSayWhyAMessageIsNotStored(TestInfo test) {
        String topic = created(test, 1);
        run("topic", "close", topic, "--for", "publish");

        CommandRun refused =
                withInput(numbers(1, 3).getBytes(StandardCharsets.UTF_8), "produce", topic, "--timeout", "2");
        run("topic", "open", topic);
        CommandRun taken = withInput("x\n".getBytes(StandardCharsets.UTF_8), "produce", topic);

        assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(refused.err())
                .contains("messages were not stored; the first: ")
                .contains("closed");
        assertThat(taken.exitCode()).isZero();
    }

    @Test
    void shouldSayThatATopicIsUnknown() {
        CommandRun consume = run("consume", "nowhere");
        CommandRun produce = withInput("x\n".getBytes(StandardCharsets.UTF_8), "produce", "nowhere", "--timeout", "2");

        assertThat(consume.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(consume.err())
                .isEqualToIgnoringNewLines(
                        "metaq: no broker has topic nowhere; create it with: metaq topic create nowhere");
        assertThat(produce.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(produce.err()).contains("nowhere");
    }

    @Test
    void shouldSayWhichNamesCannotBe(TestInfo test) {
        CommandRun group = run("consume", created(test, 1), "--group", "a.b");
        CommandRun topic = withInput("x\n".getBytes(StandardCharsets.UTF_8), "produce", "a b");

        assertThat(List.of(group.exitCode(), topic.exitCode())).containsOnly(ExitCode.USAGE);
        assertThat(group.err()).startsWith("metaq: the group's name 'a.b' has the character '.'");
        assertThat(topic.err())
                .contains("metaq: the topic's name 'a b' has a blank")
                .doesNotContain("\tat ");
    }

    @Test
    void shouldListWhatATopicKeeps(TestInfo test) {
        String topic = created(test, 1);
        withInput("hello\tworld\n".getBytes(StandardCharsets.UTF_8), "produce", topic, "--attribute", "tag");

        assertThat(run("browse", topic, "--preview", "7").out()).contains("PARTITION", "0-0", "[tag] hello.w...");
    }

    @Test
    void shouldPrintStatistics(TestInfo test) {
        String topic = created(test, 1);

        assertThat(run("stats").out()).contains("pid ", "cmd_put ");
        assertThat(run("stats", "topics").out()).contains(topic);
    }

    @Test
    void shouldEndQuietlyWhenNobodyReadsItsOutput(TestInfo test) {
        String topic = created(test, 1);
        withInput(numbers(1, 5000).getBytes(StandardCharsets.UTF_8), "produce", topic);
        PrintStream closed = new PrintStream(
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException("Broken pipe");
                    }
                },
                false,
                StandardCharsets.UTF_8);
        java.io.ByteArrayOutputStream err = new java.io.ByteArrayOutputStream();
        Terminal terminal = new Terminal(
                java.io.InputStream.nullInputStream(),
                closed,
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false);

        int exitCode = Metaq.run(terminal, "consume", topic, "--follow", "--quiet", "--server", server());

        assertThat(exitCode).isZero();
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    private static String created(TestInfo test, int partitions) {
        return created(test, partitions, "t");
    }

    private static String created(TestInfo test, int partitions, String suffix) {
        String topic = test.getTestMethod().orElseThrow().getName() + "." + suffix;
        assertThat(run("topic", "create", topic, "--partitions", Integer.toString(partitions))
                        .err())
                .isEmpty();
        return topic;
    }

    private static String numbers(int first, int last) {
        return IntStream.rangeClosed(first, last).mapToObj(i -> i + "\n").collect(Collectors.joining());
    }

    private static CommandRun run(String... arguments) {
        return withInput(new byte[0], arguments);
    }

    private static CommandRun withInput(byte[] input, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--server", server()));
        return CommandRun.withInput(input, all.toArray(String[]::new));
    }

    private static String server() {
        return "127.0.0.1:" + broker.port();
    }
}
