package io.metaq.tck.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker that stands still (SIGSTOP): clients close all the same, and go on when it does. */
class StoppedBrokerTest {
    @TempDir
    Path directory;

    @Test
    void shouldCloseWithinTenSecondsAndLeaveNoThread() {
        Set<Thread> before = threads();
        try (var broker = BrokerProcess.start(BrokerFiles.in(directory).osTopic("test", 2))) {
            var client =
                    MetaqClient.builder().servers("127.0.0.1:" + broker.port()).build();
            var producer = client.producer().build();
            producer.send(Message.of("test", "before".getBytes(StandardCharsets.UTF_8)));
            var received = new AtomicInteger();
            client.consumer("readers")
                    .subscribe("test", message -> received.incrementAndGet())
                    .start();
            await().atMost(Duration.ofSeconds(30)).until(() -> received.get() == 1);
            broker.signal("STOP");
            var pending = producer.sendAsync(Message.of("test", "during".getBytes(StandardCharsets.UTF_8)));
            long start = System.nanoTime();
            client.close();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
            assertThat(pending).isDone();
            await().atMost(Duration.ofSeconds(10))
                    .untilAsserted(() -> assertThat(threads()).isSubsetOf(before));
        }
    }

    @Test
    void shouldGoOnWhenTheBrokerDoes() {
        try (var broker = BrokerProcess.start(BrokerFiles.in(directory).osTopic("test", 1));
                var client = MetaqClient.builder()
                        .servers("127.0.0.1:" + broker.port())
                        .build();
                var producer = client.producer().timeout(Duration.ofSeconds(30)).build()) {
            producer.send(Message.of("test", "one".getBytes(StandardCharsets.UTF_8)));
            broker.signal("STOP");
            var pending = producer.sendAsync(Message.of("test", "two".getBytes(StandardCharsets.UTF_8)));
            broker.signal("CONT");
            assertThat(pending).succeedsWithin(Duration.ofSeconds(30));
        }
    }

    /** Threads of the client by their name; those of the test's own harness do not count. */
    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("metaq"))
                .collect(Collectors.toSet());
    }
}
