package io.metaq.tck.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import io.metaq.tck.harness.ChildProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code System.exit} in the middle of something, with everything left open. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExitTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"serves", "stands still", "is gone"})
    void shouldExitWithinTenSecondsWhateverTheBrokerDoes(String state) {
        Queue<String> lines = new ConcurrentLinkedQueue<>();
        try (BrokerProcess broker = BrokerProcess.start(BrokerFiles.in(directory));
                ChildProcess listening = client(broker, "listener", lines);
                ChildProcess completing = client(broker, "callback", lines);
                ChildProcess receiving = client(broker, "receiving", lines)) {
            List<ChildProcess> clients = List.of(listening, completing, receiving);
            await().atMost(Duration.ofSeconds(60)).until(() -> lines.size() == clients.size());
            switch (state) {
                case "stands still" -> broker.signal("STOP");
                case "is gone" -> broker.kill9();
                default -> assertThat(broker.isAlive()).isTrue();
            }
            clients.forEach(client -> client.send("exit"));
            clients.forEach(client -> assertThat(client.awaitExit(Play.LIMIT)).isZero());
        }
    }

    private static ChildProcess client(BrokerProcess broker, String where, Queue<String> lines) {
        return ChildProcess.startJava(
                "exiting-" + where,
                ExitingClient.class.getName(),
                List.of("metaq://127.0.0.1:" + broker.port(), where),
                line -> lines.addAll(line.equals("there") ? List.of(line) : List.of()));
    }
}
