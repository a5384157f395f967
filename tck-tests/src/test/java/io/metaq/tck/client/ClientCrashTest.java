package io.metaq.tck.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.client.Consumer;
import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.Producer;
import io.metaq.client.TopicBrowser;
import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClientCrashTest {

    @TempDir
    Path directory;

    /** One producer and one consumer live through kills of the broker; nothing acknowledged is missing, nothing is there twice. */
    @Test
    void shouldLiveThroughKillsWithoutLossOrDuplicates() throws Exception {
        BrokerFiles files = BrokerFiles.in(directory).osTopic("t", 2);
        BrokerProcess broker = BrokerProcess.start(files);
        Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        AtomicInteger failures = new AtomicInteger();
        AtomicInteger sent = new AtomicInteger();
        AtomicBoolean over = new AtomicBoolean();
        List<String> consumed = new CopyOnWriteArrayList<>();
        try (MetaqClient client =
                MetaqClient.builder().servers("127.0.0.1:" + files.port()).build()) {
            Producer producer =
                    client.producer().timeout(Duration.ofSeconds(60)).build();
            Consumer consumer = client.consumer("g")
                    .commitInterval(Duration.ofMillis(100))
                    .subscribe("t", message -> consumed.add(new String(message.data(), UTF_8)))
                    .start();
            Thread sender = new Thread(() -> {
                while (!over.get()) {
                    String name = "m" + sent.getAndIncrement();
                    producer.send(Message.of("t", name.getBytes(UTF_8)), (result, failure) -> {
                        if (failure == null) {
                            acknowledged.add(name);
                        } else {
                            failures.incrementAndGet();
                        }
                    });
                    java.util.concurrent.locks.LockSupport.parkNanos(200_000);
                }
            });
            sender.start();
            for (int round = 0; round < 4; round++) {
                int before = acknowledged.size();
                await().atMost(Duration.ofSeconds(60)).until(() -> acknowledged.size() > before + 300);
                broker.kill9();
                broker = BrokerProcess.start(files);
            }
            over.set(true);
            sender.join();
            producer.flush();

            assertThat(failures).hasValue(0);
            assertThat(acknowledged).hasSize(sent.get());
            List<String> stored = new ArrayList<>();
            try (TopicBrowser browser = client.browse("t")) {
                browser.forEachRemaining(message -> stored.add(new String(message.data(), UTF_8)));
            }
            assertThat(stored)
                    .doesNotHaveDuplicates()
                    .hasSameSizeAs(acknowledged)
                    .containsAll(acknowledged);
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> Set.copyOf(consumed).size() == acknowledged.size());
            consumer.close();
        } finally {
            broker.close();
        }
    }
}
