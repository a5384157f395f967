package io.metaq.tck.client;

import static io.metaq.tck.client.Inbox.ranges;
import static io.metaq.tck.client.Inbox.text;
import static io.metaq.tck.client.Inbox.texts;
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
import io.metaq.client.TopicNotFoundException;
import io.metaq.client.TopicPartition;
import io.metaq.client.subscription.Attachment;
import io.metaq.client.subscription.Delivery;
import io.metaq.client.subscription.SubscriberLink;
import io.metaq.client.subscription.SubscriberListener;
import io.metaq.client.subscription.TransactionParts;
import io.metaq.protocol.AttachKind;
import io.metaq.protocol.Ranges;
import io.metaq.tck.harness.BrokerFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Subscribers and a live broker. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SubscriberWithBrokerTest {

    @TempDir
    static Path directory;

    private static Broker broker;

    private MetaqClient client;
    private SubscriberLink link;
    private Producer producer;

    @BeforeAll
    static void start() throws Exception {
        broker = Broker.start(BrokerConfig.load(BrokerFiles.in(directory).write()));
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @BeforeEach
    void connect() throws Exception {
        client = MetaqClient.builder().servers("127.0.0.1:" + broker.port()).build();
        link = client.subscriber(silent());
        get(link.ready());
        producer = client.producer().maxInFlightBatches(1).build();
    }

    @AfterEach
    void close() {
        client.close();
    }

    static SubscriberListener silent() {
        return new SubscriberListener() {
            @Override
            public void interrupted(RuntimeException cause) {}

            @Override
            public void resumed() {}

            @Override
            public void failed(RuntimeException cause) {}
        };
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    private static int codeOf(CompletableFuture<?> future) throws Exception {
        try {
            future.get(30, TimeUnit.SECONDS);
            return 200;
        } catch (ExecutionException e) {
            return ((MetaqException) e.getCause()).code();
        }
    }

    private void send(String topic, String... texts) {
        for (String text : texts) {
            producer.send(Message.of(topic, text.getBytes(UTF_8)).to(new TopicPartition(topic, link.brokerId(), 0)));
        }
    }

    @Test
    void shouldTakeMessagesOneByOneAndGiveBackWhatWasNotAcknowledged() throws Exception {
        get(link.ensureDestination("one-by-one", true));
        Inbox inbox = Inbox.onQueue(link, "one-by-one");
        assertThat(inbox.drain(1)).isEmpty();
        send("one-by-one", "a", "b", "c");
        List<Delivery> first = inbox.drain(1);
        assertThat(texts(first)).containsExactly("a");
        assertThat(get(inbox.consumer().acknowledgeAndWait(ranges(first)))).isZero();
        List<Delivery> rest = inbox.drain(10);
        assertThat(texts(rest)).containsExactly("b", "c");
        get(inbox.consumer().reject(ranges(rest.subList(0, 1)), -1));
        get(inbox.consumer().release(ranges(rest.subList(1, 2))));
        List<Delivery> again = inbox.drain(10);
        assertThat(texts(again)).containsExactly("b", "c");
        assertThat(again).extracting(Delivery::deliveryCount).containsExactly(2, 1);
        inbox.consumer().acknowledge(ranges(again));
        assertThat(inbox.drain(10)).isEmpty();
    }

    @Test
    void shouldDeliverAStreamInOrderWithAcknowledgementsOnTheWay() throws Exception {
        int count = 50_000;
        get(link.ensureDestination("stream", true));
        Inbox inbox = Inbox.onQueue(link, "stream");
        TopicPartition place = new TopicPartition("stream", link.brokerId(), 0);
        List<CompletableFuture<?>> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sent.add(producer.sendAsync(
                    Message.of("stream", ("m" + i).getBytes(UTF_8)).to(place)));
        }
        int done = 0;
        inbox.consumer().credit(1_000, 1 << 20);
        while (done < count) {
            inbox.await(Math.min(count, done + 500));
            List<Delivery> fresh = inbox.since(done);
            inbox.consumer().acknowledge(ranges(fresh));
            inbox.consumer().credit(fresh.size(), fresh.size() * 30);
            done += fresh.size();
        }
        assertThat(texts(inbox.deliveries()))
                .containsExactlyElementsOf(
                        IntStream.range(0, count).mapToObj(i -> "m" + i).toList());
        assertThat(inbox.deliveries()).allMatch(one -> one.deliveryCount() == 1);
        assertThat(get(inbox.consumer().drain(1))).isZero();
        CompletableFuture.allOf(sent.toArray(new CompletableFuture<?>[0])).get(30, TimeUnit.SECONDS);
    }

    @Test
    void shouldShareAQueueAmongConsumersThatAsk() throws Exception {
        get(link.ensureDestination("shared", true));
        Inbox silent = Inbox.onQueue(link, "shared");
        Inbox first = Inbox.onQueue(link, "shared");
        Inbox second = Inbox.onQueue(link, "shared");
        send("shared", "a", "b", "c", "d");
        assertThat(texts(first.drain(2))).containsExactly("a", "b");
        assertThat(texts(second.drain(10))).containsExactly("c", "d");
        get(first.consumer().detach(ranges(first.deliveries().subList(0, 1))));
        List<Delivery> back = second.drain(10);
        assertThat(texts(back)).containsExactly("a", "b");
        assertThat(back).extracting(Delivery::deliveryCount).containsExactly(2, 1);
        assertThat(silent.deliveries()).isEmpty();
    }

    @Test
    void shouldKeepADurableSubscriptionAndItsRules() throws Exception {
        get(link.ensureDestination("news", false));
        get(link.claimClientId("reader one"));
        Attachment spec = new Attachment("durable:reader one:s", "news", AttachKind.DURABLE, null, false, null);
        Inbox inbox = Inbox.on(link, spec);
        assertThat(codeOf(link.attach(spec, inbox))).isEqualTo(409);
        assertThat(codeOf(link.ensureDestination("news", true))).isEqualTo(409);
        get(inbox.consumer().detach(Ranges.none()));
        send("news", "meanwhile");
        link.close();

        try (SubscriberLink next = client.subscriber(silent())) {
            get(next.claimClientId("reader one"));
            Inbox later = Inbox.on(next, spec);
            List<Delivery> kept = later.drain(10);
            assertThat(texts(kept)).containsExactly("meanwhile");
            get(later.consumer().acknowledgeAndWait(ranges(kept)));
            assertThat(codeOf(next.deleteSubscription(spec.name()))).isEqualTo(409);
            get(later.consumer().detach(Ranges.none()));
            get(next.deleteSubscription(spec.name()));
            assertThat(codeOf(next.deleteSubscription(spec.name()))).isEqualTo(404);
        }
    }

    /** A hundred times, since what is not free at once shows only now and then. */
    @Test
    void shouldFreeTheClientIdWhenTheLinkIsClosed() throws Exception {
        get(link.claimClientId("mine"));
        for (int i = 0; i < 100; i++) {
            link.close();
            link = client.subscriber(silent());
            get(link.claimClientId("mine"));
        }
        try (SubscriberLink other = client.subscriber(silent())) {
            assertThat(codeOf(other.claimClientId("mine"))).isEqualTo(409);
        }
    }

    @Test
    void shouldEndTemporaryDestinationsWithTheirConnection() throws Exception {
        get(link.createTemporary("temp:t1", true));
        Inbox inbox = Inbox.onQueue(link, "temp:t1");
        send("temp:t1", "hello");
        assertThat(texts(inbox.drain(1))).containsExactly("hello");
        try (SubscriberLink other = client.subscriber(silent())) {
            Attachment spec = new Attachment("queue:temp:t1", "temp:t1", AttachKind.QUEUE, null, false, null);
            assertThat(codeOf(other.attach(spec, inbox))).isEqualTo(403);
            assertThat(codeOf(link.deleteTemporary("temp:t1"))).isEqualTo(409);
            link.close();
            assertThatThrownBy(() -> send("temp:t1", "late")).isInstanceOf(TopicNotFoundException.class);
        }
    }

    @Test
    void shouldTakeAndSendAsOneStep() throws Exception {
        get(link.ensureDestination("in", true));
        get(link.ensureDestination("out", true));
        send("in", "a", "b");
        Inbox in = Inbox.onQueue(link, "in");
        Inbox out = Inbox.onQueue(link, "out");
        List<Delivery> taken = in.drain(10);
        get(link.transact(new TransactionParts()
                .send("out", 0, 0, "A".getBytes(UTF_8))
                .acknowledge(in.consumer(), ranges(taken.subList(0, 1)))
                .send("out", 0, 0, "B".getBytes(UTF_8))));
        List<Delivery> done = out.drain(10);
        assertThat(texts(done)).containsExactly("A", "B");
        assertThat(codeOf(link.transact(new TransactionParts()
                        .send("out", 0, 0, "C".getBytes(UTF_8))
                        .acknowledge(in.consumer(), ranges(taken)))))
                .isEqualTo(409);
        assertThat(out.drain(10)).isEmpty();
        get(in.consumer().detach(Ranges.none()));
        assertThat(texts(Inbox.onQueue(link, "in").drain(10))).containsExactly("b");
    }

    @Test
    void shouldTellConsumersWhenTheirQueueIsDeleted() throws Exception {
        get(link.ensureDestination("gone", true));
        Inbox inbox = Inbox.onQueue(link, "gone");
        client.admin().deleteTopic("gone");
        await().until(() -> inbox.events().contains("detached"));
        assertThatThrownBy(() -> send("gone", "x")).isInstanceOf(TopicNotFoundException.class);
    }

    @Test
    void shouldBrowseWithoutTaking() throws Exception {
        get(link.ensureDestination("seen", true));
        send("seen", "a", "b");
        Inbox browser = Inbox.on(link, new Attachment("queue:seen", "seen", AttachKind.BROWSE, null, false, null));
        assertThat(texts(browser.drain(1))).containsExactly("a");
        assertThat(texts(browser.drain(10))).containsExactly("b");
        assertThat(browser.drain(10)).isEmpty();
        Delivery taken = Inbox.onQueue(link, "seen").drain(1).get(0);
        assertThat(text(taken)).isEqualTo("a");
        assertThat(taken.deliveryCount()).isEqualTo(1);
    }
}
