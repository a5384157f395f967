package io.metaq.tck.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import io.metaq.tck.harness.LogReader;
import io.metaq.tck.harness.StoredMessage;
import io.metaq.tck.harness.Wire;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The broker's clock jumps (libfaketime): ids stay unique, sends go on, nothing expires for it. */
class MovedClockTest {
    private static final Path LIBRARY = Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1");

    @TempDir
    Path directory;

    private final Set<Long> ids = new HashSet<>();
    private int sent;

    @Test
    void shouldGoOnWithUniqueIdsWhenTheClockJumps() throws IOException {
        Assumptions.assumeTrue(Files.exists(LIBRARY), "needs libfaketime");
        Path offset = Files.writeString(directory.resolve("offset"), "+0\n");
        var files = BrokerFiles.in(directory)
                .topic(
                        "test",
                        Map.of("deletePolicy", "delete,2h", "deleteWhen", "* * * * * ?", "unflushThreshold", "1"));
        var faked = List.of(
                "env",
                "LD_PRELOAD=" + LIBRARY,
                "FAKETIME_TIMESTAMP_FILE=" + offset,
                "FAKETIME_NO_CACHE=1",
                "DONT_FAKE_MONOTONIC=1");
        try (var broker = BrokerProcess.launch(files, faked)) {
            broker.awaitAnswer();
            try (var wire = broker.wire()) {
                for (String jump : List.of("+0", "-3600", "+3600", "-7200", "+0")) {
                    Files.writeString(offset, jump + "\n");
                    send(wire, 200);
                }
                assertThat(LogReader.read(wire, "test", 0, 0)).hasSize(sent);
            }
            broker.kill9();
        }
        Files.writeString(offset, "-86400\n");
        try (var broker = BrokerProcess.launch(files, faked)) {
            broker.awaitAnswer();
            try (var wire = broker.wire()) {
                send(wire, 200);
                assertThat(LogReader.read(wire, "test", 0, 0)).hasSize(sent);
            }
        }
    }

    private void send(Wire wire, int count) throws IOException {
        byte[] body = "tick".getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < count; i++) {
            var reply = wire.ask("put test 0 4 0 %d".formatted(StoredMessage.checksum(body)), body);
            assertThat(reply.ok()).as(reply.text()).isTrue();
            long id = Long.parseLong(reply.text().split(" ")[0]);
            assertThat(id).isNotNegative();
            assertThat(ids.add(id)).as("id %d is new", id).isTrue();
            sent++;
        }
    }
}
