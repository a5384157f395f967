package io.metaq.tck.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import io.metaq.tck.harness.ChildJvm;
import io.metaq.tck.harness.ChildProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A body of 100 MB goes through a broker and a client that have much less memory each. */
class LargeBodiesTest {
    private static final long LENGTH = 100_000_000;
    private static final String HEAP = "-Xmx64m";
    private static final String DIRECT = "-XX:MaxDirectMemorySize=64m";

    @TempDir
    Path directory;

    @Test
    void shouldStreamHundredMegabytesThroughSmallHeaps() {
        try (BrokerProcess broker = BrokerProcess.start(BrokerFiles.in(directory), HEAP, DIRECT)) {
            Queue<String> lines = new ConcurrentLinkedQueue<>();
            List<String> command = ChildJvm.command(
                    ChildJvm.ownClassPath(),
                    List.of(HEAP, DIRECT),
                    StreamingClient.class.getName(),
                    List.of("metaq://127.0.0.1:" + broker.port(), Long.toString(LENGTH)));
            try (ChildProcess client = ChildProcess.start("streaming", command, lines::add)) {
                assertThat(client.awaitExit(Duration.ofMinutes(3)))
                        .as("%s%n%s", client.lastErrors(), broker.output())
                        .isZero();
            }
            Map<String, String> told = lines.stream()
                    .map(line -> line.split(" "))
                    .filter(words -> words.length == 2)
                    .collect(Collectors.toMap(words -> words[0], words -> words[1]));
            assertThat(told.get("length")).isEqualTo(Long.toString(LENGTH));
            assertThat(told.get("saved")).isEqualTo(told.get("sent"));
            assertThat(told.get("read")).isEqualTo(told.get("sent"));
            assertThat(broker.output()).doesNotContain("OutOfMemoryError");
        }
    }
}
