package io.metaq.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.metaq.client.subscription.SubscriberListener;
import io.metaq.testkit.peer.Answer;
import io.metaq.testkit.peer.ScriptedPeer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads of several clients that share batches, and still each have their own outcomes and their own end. */
@Timeout(120)
class CommonSenderTest {

    private static final int BROKER = 7;
    private static final Pattern TEXT = Pattern.compile("<([a-z]+)>");

    private final ScriptedPeer peer = ScriptedPeer.start();
    private final List<MetaqClient> clients = new ArrayList<>();

    @BeforeEach
    void script() {
        peer.always("version", Answer.version2(BROKER, "append,idempotence,subscription"));
        peer.always("append", Answer.result(200, "1 0 0"));
        peer.always("quit", Answer.close());
    }

    @AfterEach
    void close() {
        clients.forEach(MetaqClient::close);
        peer.close();
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().matches("metaq-(shared|calls)-net.*"))
                .allSatisfy(thread -> thread.join(20_000))
                .noneMatch(Thread::isAlive);
    }

    private CommonSender sender() throws Exception {
        MetaqClient client =
                MetaqClient.builder().servers(peer.address()).shareConnections().build();
        clients.add(client);
        client.subscriber(new Silent()).ready().get(20, TimeUnit.SECONDS);
        return client.producer().maxInFlightBatches(1).common();
    }

    private static final class Silent implements SubscriberListener {
        @Override
        public void interrupted(RuntimeException cause) {}

        @Override
        public void resumed() {}

        @Override
        public void failed(RuntimeException cause) {}
    }

    /** A thread that sends, until it waits for the answer or has it. */
    private static CompletableFuture<SendResult> sending(CommonSender sender, String text) {
        CompletableFuture<SendResult> outcome = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                outcome.complete(sender.send(message(text)));
            } catch (RuntimeException e) {
                outcome.completeExceptionally(e);
            }
        });
        thread.start();
        await().until(() -> outcome.isDone() || thread.getState() == Thread.State.TIMED_WAITING);
        return outcome;
    }

    private static Message message(String text) {
        return Message.of("q", ("<" + text + ">").getBytes(UTF_8)).to(new TopicPartition("q", BROKER, 0));
    }

    /** The answer to the next append, to be given by the test. */
    private CompletableFuture<Runnable> held() {
        CompletableFuture<Runnable> held = new CompletableFuture<>();
        peer.next("append", (request, to) -> held.complete(() -> to.result(200, "1 0 0", request.opaque())));
        return held;
    }

    private List<String> batches() {
        return peer.received("append").stream()
                .map(request -> TEXT.matcher(request.text())
                        .results()
                        .map(found -> found.group(1))
                        .collect(Collectors.joining(" ")))
                .toList();
    }

    @Test
    void shouldPutMessagesOfSeveralClientsIntoOneBatch() throws Exception {
        CommonSender one = sender();
        CommonSender other = sender();
        CompletableFuture<Runnable> held = held();
        List<CompletableFuture<SendResult>> sent = new ArrayList<>();
        sent.add(sending(one, "first"));
        peer.await("append", 1);
        sent.add(sending(one, "second"));
        sent.add(sending(other, "third"));
        held.get(20, TimeUnit.SECONDS).run();
        for (CompletableFuture<SendResult> outcome : sent) {
            outcome.get(20, TimeUnit.SECONDS);
        }
        assertThat(batches()).containsExactly("first", "second third");
    }

    @Test
    void shouldNotWaitLongForAnExpectedSenderThatStaysAway() throws Exception {
        CommonSender staying = sender();
        CommonSender leaving = sender();
        for (int round = 0; round < 3; round++) {
            CompletableFuture<Runnable> held = held();
            CompletableFuture<SendResult> alone = sending(staying, "alone");
            held.get(20, TimeUnit.SECONDS);
            CompletableFuture<SendResult> one = sending(staying, "one");
            CompletableFuture<SendResult> other = sending(leaving, "other");
            held.get().run();
            alone.get(20, TimeUnit.SECONDS);
            one.get(20, TimeUnit.SECONDS);
            other.get(20, TimeUnit.SECONDS);
            staying.send(message("goes"));
            staying.send(message("on"));
        }
        assertThat(batches()).contains("one other", "goes", "on");
    }

    @Test
    void shouldSendOneByOne() throws Exception {
        CommonSender sender = sender();
        List<SendResult> sent = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            sent.add(sender.send(message("lone")));
        }
        assertThat(sent).hasSize(200);
        assertThat(batches()).hasSize(200).containsOnly("lone");
    }

    @Test
    void shouldTakeOutWhatHasNotLeftWhenItsClientCloses() throws Exception {
        CommonSender closing = sender();
        CommonSender staying = sender();
        CompletableFuture<Runnable> held = held();
        CompletableFuture<SendResult> first = sending(staying, "first");
        peer.await("append", 1);
        CompletableFuture<SendResult> before = sending(staying, "before");
        CompletableFuture<SendResult> taken = sending(closing, "taken");
        CompletableFuture<SendResult> after = sending(staying, "after");

        closing.close(Duration.ZERO);
        assertThatThrownBy(() -> taken.get(20, TimeUnit.SECONDS))
                .hasCauseInstanceOf(ClientClosedException.class)
                .extracting(e -> ((MetaqException) e.getCause()).isOutcomeUnknown())
                .isEqualTo(false);
        held.get(20, TimeUnit.SECONDS).run();
        first.get(20, TimeUnit.SECONDS);
        before.get(20, TimeUnit.SECONDS);
        after.get(20, TimeUnit.SECONDS);
        assertThat(batches()).containsExactly("first", "before after");
        assertThatThrownBy(() -> closing.send(message("late"))).isInstanceOf(ClientClosedException.class);
    }

    @Test
    void shouldNotSendWhatWasTakenOutAsTheOnlyOne() throws Exception {
        CommonSender closing = sender();
        CommonSender staying = sender();
        CompletableFuture<Runnable> held = held();
        CompletableFuture<SendResult> first = sending(staying, "first");
        peer.await("append", 1);
        CompletableFuture<SendResult> taken = sending(closing, "taken");
        closing.close(Duration.ZERO);
        held.get(20, TimeUnit.SECONDS).run();
        first.get(20, TimeUnit.SECONDS);
        sending(staying, "next").get(20, TimeUnit.SECONDS);
        assertThat(taken).isCompletedExceptionally();
        assertThat(batches()).containsExactly("first", "next");
    }

    @Test
    void shouldSayThatTheOutcomeIsUnknownOfWhatWasOnItsWay() throws Exception {
        CommonSender closing = sender();
        CommonSender staying = sender();
        CompletableFuture<Runnable> held = held();
        CompletableFuture<SendResult> gone = sending(closing, "gone");
        peer.await("append", 1);
        CompletableFuture<SendResult> next = sending(staying, "next");
        closing.close(Duration.ZERO);
        assertThatThrownBy(() -> gone.get(20, TimeUnit.SECONDS))
                .hasCauseInstanceOf(ClientClosedException.class)
                .extracting(e -> ((MetaqException) e.getCause()).isOutcomeUnknown())
                .isEqualTo(true);
        held.get(20, TimeUnit.SECONDS).run();
        next.get(20, TimeUnit.SECONDS);
        assertThat(batches()).containsExactly("gone", "next");
    }

    @Test
    void shouldWaitForWhatIsUnderWayWhenItCloses() throws Exception {
        CommonSender closing = sender();
        CompletableFuture<Runnable> held = held();
        CompletableFuture<SendResult> sent = sending(closing, "sent");
        Thread closer = new Thread(() -> closing.close(Duration.ofSeconds(60)));
        closer.start();
        await().until(() -> closer.getState() == Thread.State.TIMED_WAITING);
        held.get(20, TimeUnit.SECONDS).run();
        sent.get(20, TimeUnit.SECONDS);
        closer.join(20_000);
        assertThat(closer.isAlive()).isFalse();
    }

    @Test
    void shouldTellOnlyThoseOfARefusedBatch() throws Exception {
        CommonSender one = sender();
        CommonSender other = sender();
        peer.next("append", Answer.result(500, "Put message failed.Detail:The server do not accept topic q"));
        assertThatThrownBy(() -> one.send(message("refused"))).isInstanceOf(TopicNotFoundException.class);
        assertThat(other.send(message("stored")).partition().broker()).isEqualTo(BROKER);
    }

    @Test
    void shouldAskForSharedConnections() {
        try (MetaqClient alone = MetaqClient.builder().servers(peer.address()).build()) {
            assertThatThrownBy(() -> alone.producer().common()).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void shouldServeThoseWhoComeWhenAllOthersHaveLeft() throws Exception {
        CommonSender one = sender();
        one.send(message("first"));
        one.close();
        CommonSender other = sender();
        assertThat(other.send(message("second")).partition()).isEqualTo(new TopicPartition("q", BROKER, 0));
        assertThatThrownBy(() -> one.send(message("late"))).isInstanceOf(ClientClosedException.class);
    }
}
