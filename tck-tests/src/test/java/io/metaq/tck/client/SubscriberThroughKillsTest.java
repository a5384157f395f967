package io.metaq.tck.client;

import static io.metaq.tck.client.Inbox.ranges;
import static io.metaq.tck.client.Inbox.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqException;
import io.metaq.client.Producer;
import io.metaq.client.TopicPartition;
import io.metaq.client.subscription.Delivery;
import io.metaq.client.subscription.SubscriberLink;
import io.metaq.client.subscription.TransactionParts;
import io.metaq.protocol.Ranges;
import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import io.metaq.testkit.net.FaultyLink;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A subscriber survives its broker. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SubscriberThroughKillsTest {

    @TempDir
    Path directory;

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(60, TimeUnit.SECONDS);
    }

    /**
     * Moves messages from one queue to another by transactions while the broker is killed three times: each arrives once, whatever was
     * lost on the way.
     */
    @Test
    void shouldMoveEachMessageOnceByTransactions() throws Exception {
        int count = 600;
        BrokerFiles files = BrokerFiles.in(directory);
        BrokerProcess broker = BrokerProcess.start(files);
        try (MetaqClient client = MetaqClient.builder()
                        .servers("127.0.0.1:" + files.port())
                        .subscriberTimeout(Duration.ofSeconds(60))
                        .build();
                SubscriberLink link = client.subscriber(SubscriberWithBrokerTest.silent())) {
            get(link.ensureDestination("from", true));
            get(link.ensureDestination("to", true));
            fill(client, link, count);
            Inbox from = Inbox.onQueue(link, "from");
            Set<String> moved = new HashSet<>();
            for (int round = 0; moved.size() < count; round++) {
                if (round % 40 == 20 && round < 140) {
                    broker.kill9();
                    broker = BrokerProcess.start(files);
                }
                moveSome(link, from, moved);
            }
            Inbox to = Inbox.onQueue(link, "to");
            List<String> arrived = Inbox.texts(to.drain(2 * count));
            assertThat(arrived).hasSize(count);
            assertThat(new TreeSet<>(arrived)).isEqualTo(all(count));
        } finally {
            broker.close();
        }
    }

    /** The same through a network that breaks connections and swallows packets, while the broker lives on with what it had of them. */
    @Test
    void shouldMoveEachMessageOnceThroughABadNetwork() throws Exception {
        int count = 4_000;
        ScheduledExecutorService weather = Executors.newSingleThreadScheduledExecutor();
        try (Broker broker =
                        Broker.start(BrokerConfig.load(BrokerFiles.in(directory).write()));
                FaultyLink network = new FaultyLink(broker.port());
                MetaqClient client = MetaqClient.builder()
                        .servers(network.address())
                        .heartbeatInterval(Duration.ofMillis(300))
                        .requestTimeout(Duration.ofMillis(700))
                        .subscriberTimeout(Duration.ofSeconds(60))
                        .build();
                SubscriberLink link = client.subscriber(SubscriberWithBrokerTest.silent())) {
            get(link.claimClientId("mover"));
            get(link.ensureDestination("from", true));
            get(link.ensureDestination("to", true));
            get(link.createTemporary("temp:mine", true));
            Inbox.onQueue(link, "temp:mine");
            fill(client, link, count);
            Inbox from = Inbox.onQueue(link, "from");
            weather.scheduleWithFixedDelay(() -> storm(network), 5, 10, TimeUnit.MILLISECONDS);
            Set<String> moved = new HashSet<>();
            while (moved.size() < count) {
                moveSome(link, from, moved);
            }
            weather.shutdownNow();
            weather.awaitTermination(10, TimeUnit.SECONDS);
            network.heal();
            Inbox to = Inbox.onQueue(link, "to");
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> to.drain(2 * count).isEmpty() && to.size() > 0);
            assertThat(Inbox.texts(to.deliveries())).hasSize(count);
            assertThat(new TreeSet<>(Inbox.texts(to.deliveries()))).isEqualTo(all(count));
        } finally {
            weather.shutdownNow();
        }
    }

    private final Random dice = new Random(20261130);

    /** Breaks everything now and then; sometimes nothing gets through for longer than the client waits for a heartbeat. */
    private void storm(FaultyLink network) {
        int roll = dice.nextInt(16);
        if (roll < 4) {
            network.cut();
        } else if (roll == 4) {
            network.silence();
        } else if (roll > 13) {
            network.heal();
        }
    }

    private static TreeSet<String> all(int count) {
        return IntStream.range(0, count).mapToObj(i -> "m" + i).collect(Collectors.toCollection(TreeSet::new));
    }

    private static void fill(MetaqClient client, SubscriberLink link, int count) throws Exception {
        TopicPartition place = new TopicPartition("from", link.brokerId(), 0);
        List<CompletableFuture<?>> sent = new ArrayList<>();
        try (Producer producer = client.producer().build()) {
            for (int i = 0; i < count; i++) {
                sent.add(producer.sendAsync(
                        Message.of("from", ("m" + i).getBytes(UTF_8)).to(place)));
            }
            get(CompletableFuture.allOf(sent.toArray(new CompletableFuture<?>[0])));
        }
    }

    private static void moveSome(SubscriberLink link, Inbox from, Set<String> moved) throws Exception {
        int before = from.size();
        get(from.consumer().drain(5));
        List<Delivery> taken = from.since(before);
        if (taken.isEmpty()) {
            return;
        }
        TransactionParts parts = new TransactionParts().acknowledge(from.consumer(), ranges(taken));
        taken.forEach(one -> parts.send("to", 0, 0, one.body()));
        try {
            get(link.transact(parts));
            taken.forEach(one -> moved.add(text(one)));
        } catch (ExecutionException e) {
            // A broker that has not seen the end of the old connection still has the messages leased to that: nothing
            // was done.
            assertThat(e.getCause())
                    .isInstanceOfSatisfying(
                            MetaqException.class,
                            refused -> assertThat(refused.code()).isEqualTo(409));
        }
    }

    /** What was acknowledged with an answer never comes again; what was delivered before a kill comes again, and says so. */
    @Test
    void shouldNotBringBackWhatWasAcknowledgedNorCallOldWhatIsNew() throws Exception {
        BrokerFiles files = BrokerFiles.in(directory);
        BrokerProcess broker = BrokerProcess.start(files);
        try (MetaqClient client = MetaqClient.builder()
                        .servers("127.0.0.1:" + files.port())
                        .subscriberTimeout(Duration.ofSeconds(60))
                        .build();
                SubscriberLink link = client.subscriber(SubscriberWithBrokerTest.silent())) {
            get(link.ensureDestination("from", true));
            fill(client, link, 100);
            Inbox inbox = Inbox.onQueue(link, "from");
            List<Delivery> seen = inbox.drain(50);
            get(inbox.consumer().acknowledgeAndWait(ranges(seen.subList(0, 20))));
            broker.kill9();
            broker = BrokerProcess.start(files);
            await().atMost(Duration.ofSeconds(30)).until(() -> inbox.events().contains("reset"));
            get(inbox.consumer().acknowledgeAndWait(ranges(seen.subList(20, 30))));
            List<Delivery> again = inbox.drain(200);
            assertThat(Inbox.texts(again))
                    .containsExactlyElementsOf(
                            IntStream.range(30, 100).mapToObj(i -> "m" + i).toList());
            assertThat(again.subList(0, 20)).allMatch(one -> one.deliveryCount() > 1);
            assertThat(again.subList(20, 70)).allMatch(one -> one.deliveryCount() >= 1);
        } finally {
            broker.close();
        }
    }

    @Test
    void shouldCloseWhileTheBrokerIsFrozen() throws Exception {
        BrokerFiles files = BrokerFiles.in(directory);
        BrokerProcess broker = BrokerProcess.start(files);
        MetaqClient client =
                MetaqClient.builder().servers("127.0.0.1:" + files.port()).build();
        try {
            SubscriberLink link = client.subscriber(SubscriberWithBrokerTest.silent());
            get(link.ensureDestination("q", true));
            Inbox inbox = Inbox.onQueue(link, "q");
            broker.signal("STOP");
            CompletableFuture<Integer> drain = inbox.consumer().drain(1);
            CompletableFuture<Integer> ack = inbox.consumer().acknowledgeAndWait(Ranges.of(0, 0, 25));
            long start = System.nanoTime();
            link.close();
            client.close();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
            assertThatThrownBy(() -> get(drain)).isNotNull();
            assertThatThrownBy(() -> get(ack)).isNotNull();
            // A thread that has ended its work is there for a moment more.
            await().until(() -> Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().startsWith("metaq-client")));
        } finally {
            broker.signal("CONT");
            client.close();
            broker.close();
        }
    }
}
