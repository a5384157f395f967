package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.metaq.client.subscription.AttachedConsumer;
import io.metaq.client.subscription.Attachment;
import io.metaq.client.subscription.Delivery;
import io.metaq.client.subscription.DeliveryHandler;
import io.metaq.client.subscription.SubscriberLink;
import io.metaq.client.subscription.SubscriberListener;
import io.metaq.client.subscription.TransactionParts;
import io.metaq.protocol.AttachKind;
import io.metaq.protocol.Ranges;
import io.metaq.testkit.net.ClosedPort;
import io.metaq.testkit.peer.Answer;
import io.metaq.testkit.peer.PeerConnection;
import io.metaq.testkit.peer.PeerMessage;
import io.metaq.testkit.peer.PeerRequest;
import io.metaq.testkit.peer.ScriptedPeer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Subscribers against a broker whose every word is scripted. */
@Timeout(60)
class SubscriberTest {

    private static final String FEATURES = "append,login,subscription,transact";
    private static final Attachment QUEUE = new Attachment("queue:q", "q", AttachKind.QUEUE, null, false, null);

    private final ScriptedPeer peer = ScriptedPeer.start();
    private final AtomicReference<PeerConnection> connection = new AtomicReference<>();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> opened = new CopyOnWriteArrayList<>();

    @BeforeEach
    void scriptTheUsual() {
        peer.always("version", Answer.version2(7, FEATURES));
        peer.always("login", Answer.result(200, ""));
        peer.always("client", Answer.result(200, ""));
        peer.always("topic", Answer.result(200, ""));
        peer.always("credit", Answer.silence());
        peer.always("ack", ack());
        peer.always("drain", Answer.result(200, "0"));
        peer.always("detach", Answer.result(200, ""));
        peer.always("reject", Answer.result(200, ""));
        peer.always("release", Answer.result(200, ""));
        peer.always("quit", Answer.close());
        peer.always("attach", (request, to) -> {
            connection.set(to);
            Answer.attached().give(request, to);
        });
    }

    private static Answer ack() {
        return (request, to) -> {
            if (request.option("reply") == null) {
                to.result(200, "acknowledged 1 missed 0", request.opaque());
            }
        };
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
        peer.close();
    }

    private MetaqClientBuilder builder() {
        return MetaqClient.builder().servers(peer.address());
    }

    private SubscriberLink open(MetaqClientBuilder builder) {
        MetaqClient client = builder.build();
        opened.add(client);
        return client.subscriber(listener());
    }

    private SubscriberListener listener() {
        return new SubscriberListener() {
            @Override
            public void interrupted(RuntimeException cause) {
                told.add("interrupted");
            }

            @Override
            public void resumed() {
                told.add("resumed");
            }

            @Override
            public void failed(RuntimeException cause) {
                told.add("failed " + cause.getClass().getSimpleName());
            }
        };
    }

    private DeliveryHandler handler() {
        return new DeliveryHandler() {
            @Override
            public void delivered(Delivery message) {
                told.add("delivered " + new String(message.body(), StandardCharsets.UTF_8) + " " + message.offset()
                        + "-" + message.endOffset() + " x" + message.deliveryCount());
            }

            @Override
            public void reset() {
                told.add("reset");
            }

            @Override
            public void detached(String reason) {
                told.add("detached " + reason);
            }
        };
    }

    private static DeliveryHandler onDelivery(Runnable action) {
        return new DeliveryHandler() {
            @Override
            public void delivered(Delivery message) {
                action.run();
            }

            @Override
            public void reset() {}

            @Override
            public void detached(String reason) {}
        };
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(20, TimeUnit.SECONDS);
    }

    private static int codeOf(CompletableFuture<?> future) {
        try {
            future.get(20, TimeUnit.SECONDS);
            return 200;
        } catch (ExecutionException e) {
            return ((MetaqException) e.getCause()).code();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void awaitTold(String... what) {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(told).containsExactly(what));
    }

    private List<String> lines(String verb) {
        return peer.received(verb).stream().map(PeerRequest::line).toList();
    }

    @Test
    void shouldAttachAndBeDeliveredTo() throws Exception {
        SubscriberLink link = open(builder());
        get(link.ready());
        assertThat(link.brokerId()).isEqualTo(7);
        get(link.claimClientId("a b"));
        AttachedConsumer consumer = get(
                link.attach(new Attachment("durable:a b:s", "t", AttachKind.DURABLE, "n > 3", true, "a b"), handler()));
        consumer.credit(10, 1000);
        peer.await("credit", 1);
        connection.get().message(consumer.id(), 0, 50, 1, PeerMessage.of(1, "one"), PeerMessage.of(2, "two"));
        connection.get().message(consumer.id(), 0, 0, 3, PeerMessage.of(3, "old"));
        awaitTold("delivered one 50-73 x1", "delivered two 73-96 x1", "delivered old 0-23 x3");

        assertThat(lines("client").get(0)).matches("client a%20b \\d+");
        assertThat(lines("attach").get(0))
                .matches(
                        "attach 1 durable:a%20b:s \\d+ topic=t kind=durable selector=n%20>%203 nolocal=true origin=a%20b");
        assertThat(lines("credit")).containsExactly("credit 1 10 1000");
    }

    @Test
    void shouldSendAcknowledgementsOfAMomentAsOneFrame() throws Exception {
        SubscriberLink link = open(builder());
        CompletableFuture<AttachedConsumer> attached = new CompletableFuture<>();
        CompletableFuture<Integer> drained = new CompletableFuture<>();
        // A delivery is handled on the network thread, which sends nothing before that is over.
        AttachedConsumer consumer = get(link.attach(QUEUE, onDelivery(() -> {
            AttachedConsumer self = attached.join();
            for (int i = 0; i < 1000; i++) {
                self.acknowledge(Ranges.of(0, i * 25L, i * 25L + 25));
                self.credit(1, 25);
            }
            self.acknowledge(Ranges.of(0, 100_000, 100_025));
            self.drain(5).thenAccept(drained::complete);
        })));
        attached.complete(consumer);
        connection.get().message(consumer.id(), 0, 0, 1, PeerMessage.of(1, "now"));
        get(drained);
        assertThat(lines("ack")).containsExactly("ack 1 0:0-25000,0:100000-100025 0 reply=no");
        assertThat(lines("credit")).isEmpty();
        assertThat(peer.received().get(peer.received().size() - 1).line()).matches("drain 1 5 \\d+");
    }

    @Test
    void shouldSplitWhatDoesNotFitIntoALine() throws Exception {
        SubscriberLink link = open(builder());
        AttachedConsumer consumer = get(link.attach(QUEUE, handler()));
        Ranges.Builder ranges = Ranges.builder();
        for (int i = 0; i < 600; i++) {
            ranges.add(0, i * 50L, i * 50L + 25);
        }
        assertThat(get(consumer.acknowledgeAndWait(ranges.build()))).isZero();
        assertThat(lines("ack"))
                .hasSize(3)
                .allSatisfy(line -> assertThat(line.length()).isLessThan(16_000));
        get(consumer.detach(ranges.build()));
        assertThat(lines("reject")).hasSize(2);
        assertThat(lines("detach")).hasSize(1);
    }

    @Test
    void shouldMakeEverythingAgainAfterALostConnection() throws Exception {
        SubscriberLink link = open(builder());
        get(link.claimClientId("c"));
        get(link.createTemporary("temp:x", true));
        AttachedConsumer consumer = get(link.attach(QUEUE, handler()));
        peer.resetConnections();
        awaitTold("interrupted", "reset", "resumed");

        assertThat(peer.received().stream().map(PeerRequest::verb))
                .containsExactly("version", "client", "topic", "attach", "version", "client", "topic", "attach");
        consumer.credit(1, 1);
        assertThat(peer.await("credit", 1).get(0).line()).isEqualTo("credit 1 1 1");
    }

    @Test
    void shouldWaitForTheBrokerToNoticeTheEndOfTheConnectionBefore() throws Exception {
        SubscriberLink link = open(builder());
        get(link.claimClientId("c"));
        get(link.attach(QUEUE, handler()));
        peer.next("client", Answer.result(409, "in use"));
        peer.next("client", Answer.result(409, "in use"));
        peer.next("attach", Answer.result(409, "has a consumer"));
        peer.resetConnections();
        awaitTold("interrupted", "reset", "resumed");
        assertThat(lines("client")).hasSize(4);
        assertThat(lines("attach")).hasSize(3);
    }

    @Test
    void shouldTellAConsumerWhoseDestinationIsGone() throws Exception {
        SubscriberLink link = open(builder());
        get(link.attach(QUEUE, handler()));
        peer.next("attach", Answer.result(404, "no such queue"));
        peer.resetConnections();
        awaitTold("interrupted", "detached no such queue", "resumed");
    }

    @Test
    void shouldTellAConsumerThatTheBrokerEnds() throws Exception {
        SubscriberLink link = open(builder());
        AttachedConsumer consumer = get(link.attach(QUEUE, handler()));
        connection.get().detached(consumer.id(), "the queue was deleted");
        connection.get().message(consumer.id(), 0, 0, 1, PeerMessage.of(1, "late"));
        awaitTold("detached the queue was deleted");
        assertThat(get(consumer.drain(0))).isZero();
    }

    @Test
    void shouldKeepAcknowledgementsForTheNextConnectionAndDropCredit() throws Exception {
        SubscriberLink link = open(builder());
        AttachedConsumer consumer = get(link.attach(QUEUE, handler()));
        CompletableFuture<PeerRequest> again = new CompletableFuture<>();
        peer.next("attach", (request, to) -> again.complete(request));
        peer.resetConnections();
        PeerRequest attach = get(again);
        consumer.acknowledge(Ranges.of(0, 0, 25));
        consumer.credit(10, 10);
        assertThat(get(consumer.drain(1))).isZero();
        get(consumer.release(Ranges.of(0, 25, 50)));
        CompletableFuture<Integer> waiting = consumer.acknowledgeAndWait(Ranges.of(0, 50, 75));
        assertThat(attach.verb()).isEqualTo("attach");
        // The peer never answered that one, so the connection is given up, and the next one is answered.
        peer.resetConnections();
        assertThat(get(waiting)).isZero();
        await().untilAsserted(() -> assertThat(told).endsWith("reset", "resumed"));
        assertThat(lines("ack").get(0)).isEqualTo("ack 1 0:0-25 0 reply=no");
        assertThat(lines("ack").get(1)).matches("ack 1 0:50-75 \\d+");
        assertThat(lines("credit")).isEmpty();
        assertThat(lines("drain")).isEmpty();
        assertThat(lines("release")).isEmpty();
    }

    @Test
    void shouldSendATransactionAgainWithItsNumbers() throws Exception {
        SubscriberLink link = open(builder());
        AttachedConsumer consumer = get(link.attach(QUEUE, handler()));
        peer.next("transact", Answer.reset());
        peer.always("transact", Answer.result(200, ""));
        TransactionParts parts = new TransactionParts()
                .send("a", 0, 0, "one".getBytes(StandardCharsets.UTF_8))
                .send("b", 1, 4, "two".getBytes(StandardCharsets.UTF_8))
                .send("a", 0, 0, "three".getBytes(StandardCharsets.UTF_8))
                .acknowledge(consumer, Ranges.of(0, 0, 25));
        get(link.transact(parts));
        get(link.transact(new TransactionParts().acknowledge(consumer, Ranges.of(0, 25, 50))));
        List<PeerRequest> sent = peer.received("transact");
        assertThat(sent).hasSize(3);
        assertThat(sent.get(1).body()).isEqualTo(sent.get(0).body());
        assertThat(sent.get(1).option("producer"))
                .isEqualTo(sent.get(0).option("producer"))
                .isNotEqualTo("0");
        assertThat(sent).extracting(one -> one.option("seq")).containsExactly("0", "0", "1");
    }

    @Test
    void shouldNumberTransactionsInTheOrderInWhichTheyAreWritten() throws Exception {
        SubscriberLink link = open(builder());
        get(link.ready());
        peer.always("transact", Answer.result(200, ""));
        List<CompletableFuture<?>> all = new CopyOnWriteArrayList<>();
        List<Thread> threads = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 8; i++) {
            Thread thread = new Thread(() -> {
                for (int n = 0; n < 100; n++) {
                    all.add(link.transact(new TransactionParts().send("t", 0, 0, new byte[0])));
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        get(CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0])));
        List<String> numbers =
                peer.received("transact").stream().map(one -> one.option("seq")).toList();
        assertThat(numbers)
                .containsExactlyElementsOf(
                        IntStream.range(0, 800).mapToObj(String::valueOf).toList());
    }

    @Test
    void shouldTakeADeletionThatIsRepeatedForDone() throws Exception {
        SubscriberLink link = open(builder());
        get(link.ready());
        peer.next("subscription", Answer.reset());
        peer.next("subscription", Answer.result(404, "no such subscription"));
        get(link.deleteSubscription("durable:c:a b"));
        peer.next("subscription", Answer.result(404, "no such subscription"));
        assertThat(codeOf(link.deleteSubscription("durable:c:a b"))).isEqualTo(404);
        assertThat(lines("subscription").get(0)).matches("subscription delete durable:c:a%20b \\d+");
    }

    @Test
    void shouldPassOnWhatTheBrokerRefuses() throws Exception {
        SubscriberLink link = open(builder());
        peer.next("attach", Answer.result(400, "bad selector"));
        assertThat(codeOf(link.attach(QUEUE, handler()))).isEqualTo(400);
        peer.next("client", Answer.result(409, "in use"));
        assertThat(codeOf(link.claimClientId("c"))).isEqualTo(409);
        peer.next("topic", Answer.result(409, "is a topic"));
        assertThat(codeOf(link.ensureDestination("q", true))).isEqualTo(409);
        assertThat(lines("topic").get(0)).startsWith("topic create q ").contains("kind=queue", "ensure=true");
        assertThat(told).isEmpty();
    }

    @Test
    void shouldLogInOnEveryConnection() throws Exception {
        SubscriberLink link = open(builder().user("j2ee", "p w"));
        get(link.ready());
        peer.resetConnections();
        awaitTold("interrupted", "resumed");
        assertThat(lines("login")).hasSize(2).allMatch(line -> line.matches("login j2ee \\d+ password=p%20w"));
    }

    @Test
    void shouldNotAskAgainWhenTheLoginIsRefused() throws Exception {
        peer.always("login", Answer.result(401, "no such user"));
        MetaqClient client = builder().user("invalid", "invalid").build();
        opened.add(client);
        SubscriberLink link = client.subscriber(listener());
        assertThatThrownBy(() -> get(link.ready()))
                .cause()
                .isInstanceOf(UnauthorizedException.class)
                .hasMessageContaining("no such user")
                .hasMessageNotContaining("password");
        assertThat(codeOf(link.attach(QUEUE, handler()))).isEqualTo(401);
        Producer producer = client.producer().build();
        assertThatThrownBy(() -> producer.send(Message.of("t"))).isInstanceOf(UnauthorizedException.class);
        int asked = peer.received("login").size();
        assertThatThrownBy(() -> producer.send(Message.of("t").to(new TopicPartition("t", 7, 0))))
                .isInstanceOf(MetaqException.class);
        assertThat(peer.received("login").size() - asked).isLessThanOrEqualTo(1);
        assertThat(peer.connections()).isLessThanOrEqualTo(3);
    }

    @Test
    void shouldFailAtOnceWhereALoginIsAskedForAndNoneGiven() {
        peer.always(
                "version",
                (request, to) -> to.result(
                        200,
                        "2.0.0\r\nprotocol 2\r\nbroker_id 7\r\nfeatures " + FEATURES + "\r\nlogin required\r\n",
                        request.opaque()));
        SubscriberLink link = open(builder());
        assertThat(codeOf(link.ready())).isEqualTo(401);
    }

    @Test
    void shouldFailForGoodWhenTheUserIsGoneAfterAReconnect() throws Exception {
        SubscriberLink link = open(builder().user("a", "b"));
        get(link.ready());
        peer.always("login", Answer.result(401, "removed"));
        peer.resetConnections();
        awaitTold("interrupted", "failed UnauthorizedException");
        assertThat(codeOf(link.claimClientId("c"))).isEqualTo(401);
    }

    @Test
    void shouldSayThatNobodyAnswers() throws Exception {
        try (ClosedPort nobody = new ClosedPort()) {
            SubscriberLink link =
                    open(MetaqClient.builder().servers(nobody.address()).requestTimeout(Duration.ofMillis(500)));
            assertThatThrownBy(() -> get(link.ready())).cause().isInstanceOf(BrokerUnavailableException.class);
        }
    }

    @Test
    void shouldTurnToTheNextServerWhenOneIsLost() throws Exception {
        try (ScriptedPeer other = ScriptedPeer.start()) {
            other.always("version", Answer.version2(8, FEATURES));
            other.always("quit", Answer.close());
            SubscriberLink link = open(MetaqClient.builder().servers(peer.address() + "," + other.address()));
            get(link.ready());
            assertThat(link.brokerId()).isEqualTo(7);
            peer.close();
            awaitTold("interrupted", "resumed");
            assertThat(link.brokerId()).isEqualTo(8);
        }
    }

    @Test
    void shouldSayGoodbyeWithTheLastAcknowledgements() throws Exception {
        SubscriberLink link = open(builder());
        AttachedConsumer consumer = get(link.attach(QUEUE, handler()));
        consumer.acknowledge(Ranges.of(0, 0, 25));
        link.close();
        assertThat(peer.await("quit", 1)).hasSize(1);
        assertThat(lines("ack")).containsExactly("ack 1 0:0-25 0 reply=no");
        assertThatThrownBy(() -> get(link.attach(QUEUE, handler()))).cause().isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(() -> get(consumer.drain(1))).cause().isInstanceOf(ClientClosedException.class);
    }

    @Test
    void shouldCloseWithinTwoSecondsWhateverTheBrokerDoes() throws Exception {
        SubscriberLink link = open(builder());
        AttachedConsumer consumer = get(link.attach(QUEUE, handler()));
        peer.always("drain", Answer.silence());
        peer.always("quit", Answer.silence());
        CompletableFuture<Integer> drain = consumer.drain(1);
        peer.await("drain", 1);
        long start = System.nanoTime();
        link.close();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
        assertThatThrownBy(() -> get(drain)).cause().isInstanceOf(MetaqException.class);
        link.close();
        assertThat(told).isEmpty();
    }

    @Test
    void shouldGiveUpAnAnswerThatNeverComes() throws Exception {
        SubscriberLink link = open(builder().subscriberTimeout(Duration.ofMillis(300)));
        get(link.ready());
        peer.always("topic", Answer.silence());
        assertThatThrownBy(() -> get(link.ensureDestination("q", true)))
                .cause()
                .isInstanceOfSatisfying(
                        MetaqException.class,
                        e -> assertThat(e.isOutcomeUnknown()).isTrue());
    }

    @Test
    void shouldRefuseADamagedMessageAndGiveItsCreditBack() throws Exception {
        SubscriberLink link = open(builder());
        AttachedConsumer consumer = get(link.attach(QUEUE, handler()));
        byte[] bytes = PeerMessage.of(1, "hello").bytes();
        bytes[bytes.length - 1] ^= 1;
        connection.get().raw(("message 1 0 100 1 1 " + bytes.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
        connection.get().raw(bytes);
        connection.get().message(consumer.id(), 0, 125, 1, PeerMessage.of(2, "fine"));
        awaitTold("delivered fine 125-149 x1");
        assertThat(peer.await("reject", 1).get(0).line()).matches("reject 1 0:100-125 \\d+ dead=true");
        assertThat(peer.await("credit", 1).get(0).line()).isEqualTo("credit 1 1 25");
    }
}
