package io.metaq.tck.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import io.metaq.tck.harness.LogReader;
import io.metaq.tck.harness.StoredMessage;
import io.metaq.tck.harness.Wire;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Topics and groups changed while the broker runs, and what is left of it after a kill. */
class RuntimeChangesTest {
    private static final byte[] NOTHING = {};

    @TempDir
    Path directory;

    @Test
    void shouldCloseAndOpenTopicsAtRunTime() throws IOException {
        try (var broker = BrokerProcess.start(BrokerFiles.in(directory).osTopic("test", 3));
                var wire = broker.wire()) {
            assertThat(put(wire, 1).ok()).isTrue();
            change(wire, "topic close test", "partition=1 for=publish");
            assertThat(put(wire, 1).code()).isEqualTo(403);
            assertThat(put(wire, 0).ok()).isTrue();
            assertThat(wire.ask("get test g 1 0 1000").ok()).isTrue();
            change(wire, "topic close test", "partition=0-2 for=subscribe");
            assertThat(wire.ask("get test g 0 0 1000").code()).isEqualTo(403);
            change(wire, "topic open test", "");
            assertThat(put(wire, 1).ok()).isTrue();
            assertThat(wire.ask("get test g 0 0 1000").ok()).isTrue();
        }
    }

    /** With every partition closed the broker's own choice finds none either. */
    @Test
    void shouldNotPickAClosedPartition() throws IOException {
        try (var broker = BrokerProcess.start(BrokerFiles.in(directory).osTopic("test", 2));
                var wire = broker.wire()) {
            change(wire, "topic close test", "partition=0 for=publish");
            for (int i = 0; i < 10; i++) {
                assertThat(put(wire, -1).text().split(" ")[1]).isEqualTo("1");
            }
            change(wire, "topic close test", "for=publish");
            assertThat(put(wire, -1).code()).isEqualTo(403);
        }
    }

    @Test
    void shouldKeepWhatCommandsChangedThroughAKill() throws IOException {
        var files = BrokerFiles.in(directory).osTopic("test", 2);
        try (var broker = BrokerProcess.start(files);
                var wire = broker.wire()) {
            change(wire, "topic create made", "partitions=4 retentionBytes=1000000");
            change(wire, "topic create gone", "partitions=1");
            change(wire, "topic delete gone", "");
            change(wire, "topic alter made", "partitions=5");
            change(wire, "topic close test", "partition=1 for=publish");
            assertThat(put(wire, 0).ok()).isTrue();
            change(wire, "group commit g", "topic=test partition=0 offset=25");
            broker.kill9();
        }
        try (var broker = BrokerProcess.start(files);
                var wire = broker.wire()) {
            assertThat(wire.ask("topic list *").text().lines())
                    .contains("made 5")
                    .noneMatch(l -> l.startsWith("gone"));
            assertThat(wire.ask("topic describe made").text()).contains("retentionBytes 1000000");
            assertThat(put(wire, 1).code()).isEqualTo(403);
            assertThat(wire.ask("group offsets g").text()).startsWith("test 0 25 ");
        }
    }

    @Test
    void shouldMoveAGroupAndRestoreItFromItsHistory() throws IOException {
        try (var broker = BrokerProcess.start(BrokerFiles.in(directory).osTopic("test", 1));
                var wire = broker.wire()) {
            for (int i = 0; i < 10; i++) {
                assertThat(put(wire, 0).ok()).isTrue();
            }
            long end = LogReader.read(wire, "test", 0, 0).get(9).next();
            change(wire, "group commit g", "topic=test partition=0 offset=50");
            change(wire, "group reset g", "topic=test to=last");
            assertThat(wire.ask("group offsets g").text()).startsWith("test 0 %d ".formatted(end));
            change(wire, "group reset g", "topic=test partition=0 to=first");
            assertThat(wire.ask("group offsets g").text()).startsWith("test 0 0 ");
            change(wire, "group reset g", "topic=test to=time:0");
            assertThat(wire.ask("group offsets g").text()).startsWith("test 0 0 ");
            change(wire, "group reset g", "topic=test to=25");
            assertThat(wire.ask("group offsets g").text()).startsWith("test 0 25 ");
            assertThat(wire.ask("group history g").text()).contains("test 0 50 ");
            change(wire, "group delete g", "");
            assertThat(wire.ask("group list *").text()).doesNotContain("g");
        }
    }

    private static void change(Wire wire, String command, String options) throws IOException {
        var reply = wire.askWithOptions(command, options, NOTHING);
        assertThat(reply.code()).as("%s %s: %s", command, options, reply.text()).isEqualTo(200);
    }

    private static Wire.Reply put(Wire wire, int partition) throws IOException {
        byte[] body = "hello".getBytes(StandardCharsets.UTF_8);
        return wire.ask("put test %d 5 0 %d".formatted(partition, StoredMessage.checksum(body)), body);
    }
}
