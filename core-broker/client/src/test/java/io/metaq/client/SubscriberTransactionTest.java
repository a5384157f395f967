package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.subscription.AttachedConsumer;
import io.metaq.client.subscription.Attachment;
import io.metaq.client.subscription.Delivery;
import io.metaq.client.subscription.DeliveryHandler;
import io.metaq.client.subscription.Enlistment;
import io.metaq.client.subscription.Enlistment.Then;
import io.metaq.client.subscription.SubscriberLink;
import io.metaq.client.subscription.SubscriberListener;
import io.metaq.client.subscription.TransactionParts;
import io.metaq.client.subscription.TransactionStep;
import io.metaq.protocol.AttachKind;
import io.metaq.protocol.Ranges;
import io.metaq.protocol.TransactionKey;
import io.metaq.testkit.peer.Answer;
import io.metaq.testkit.peer.PeerRequest;
import io.metaq.testkit.peer.ScriptedPeer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a subscriber makes of the broker's answers to its transactions, and of answers that do not come. */
@Timeout(60)
class SubscriberTransactionTest {
    private static final String FEATURES = "append,login,subscription,transact,transaction";
    private static final String NOTA = "XAException:code=-4,msg=XA transaction 'x' has not been started.";
    private static final TransactionKey.Xa KEY = new TransactionKey.Xa(100, "0a0b", "0c", "metaq");

    private final ScriptedPeer peer = ScriptedPeer.start();
    private final List<AutoCloseable> opened = new CopyOnWriteArrayList<>();

    @BeforeEach
    void scriptTheUsual() {
        peer.always("version", Answer.version2(7, FEATURES));
        peer.always("attach", Answer.attached());
        peer.always("enlist", Answer.result(200, "0"));
        peer.always("transaction", Answer.result(200, ""));
        peer.always("quit", Answer.close());
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
        peer.close();
    }

    private SubscriberLink open(MetaqClientBuilder builder) {
        MetaqClient client = builder.build();
        opened.add(client);
        return client.subscriber(new SubscriberListener() {
            @Override
            public void interrupted(RuntimeException cause) {}

            @Override
            public void resumed() {}

            @Override
            public void failed(RuntimeException cause) {}
        });
    }

    private SubscriberLink open() {
        return open(MetaqClient.builder().servers(peer.address()));
    }

    private static TransactionParts hello() {
        return new TransactionParts().send("t", 0, 0, new byte[] {1});
    }

    private static Enlistment step(Then then) {
        return new Enlistment(KEY, hello(), then, 30, false);
    }

    @Test
    void shouldPrepareWhatItAddsAndCommitIt() throws Exception {
        SubscriberLink link = open();
        AttachedConsumer consumer =
                get(link.attach(new Attachment("queue:q", "q", AttachKind.QUEUE, null, false, null), deaf()));
        get(link.enlist(new Enlistment(KEY, hello(), Then.NOTHING, 30, false)));
        TransactionParts rest = new TransactionParts().acknowledge(consumer, Ranges.of(0, 0, 25));
        assertThat(get(link.enlist(new Enlistment(KEY, rest, Then.PREPARE, 0, true))))
                .isEqualTo(Enlistment.PREPARED);
        get(link.transaction(KEY, TransactionStep.COMMIT_TWO_PHASE));
        assertThat(peer.received("enlist").get(0).line())
                .matches("enlist XID:100:0a0b:0c:metaq 37 \\d+ timeout=30 producer=-?\\d+ seq=0");
        assertThat(peer.received("enlist").get(1).line())
                .matches("enlist XID:100:0a0b:0c:metaq 29 \\d+ then=prepare begun=true producer=-?\\d+ seq=1");
        assertThat(peer.received("transaction").get(0).line())
                .matches("transaction XID:100:0a0b:0c:metaq link-[0-9a-f]+ COMMIT_TWO_PHASE metaq \\d+");
    }

    /** So that a step that arrives late lands on no other transaction of the key. */
    @Test
    void shouldNameTheTransactionByTheNumberThatTheBrokerGaveIt() throws Exception {
        peer.always("enlist", Answer.result(200, "0 number 17"));
        SubscriberLink link = open();
        assertThat(get(link.enlist(step(Then.PREPARE)))).isEqualTo(Enlistment.PREPARED);
        get(link.transaction(KEY, TransactionStep.COMMIT_TWO_PHASE));
        get(link.transaction(KEY, TransactionStep.FORGET));
        assertThat(peer.received("transaction").get(0).line())
                .matches("transaction .* COMMIT_TWO_PHASE metaq \\d+ number=17");
        assertThat(peer.received("transaction").get(1).line()).matches("transaction .* FORGET metaq \\d+");
    }

    @Test
    void shouldTellThatNothingIsToBeCommitted() throws Exception {
        peer.always("enlist", Answer.result(200, "3"));
        assertThat(get(open().enlist(step(Then.PREPARE)))).isEqualTo(Enlistment.READ_ONLY);
    }

    @ParameterizedTest
    @EnumSource(Then.class)
    void shouldSendAnEnlistmentAgainUnderItsNumber(Then then) throws Exception {
        peer.next("enlist", Answer.reset());
        get(open().enlist(step(then)));
        List<PeerRequest> sent = peer.received("enlist");
        assertThat(sent).hasSize(2);
        assertThat(sent.get(1).option("seq"))
                .isEqualTo("0")
                .isEqualTo(sent.get(0).option("seq"));
        assertThat(sent.get(1).option("producer")).isEqualTo(sent.get(0).option("producer"));
        assertThat(sent.get(1).body()).isEqualTo(sent.get(0).body());
    }

    /** The broker has forgotten what it has committed or rolled back. */
    @ParameterizedTest
    @EnumSource(
            value = TransactionStep.class,
            names = {"COMMIT_TWO_PHASE", "ROLLBACK", "FORGET"})
    void shouldCountAStepAsDoneWhenTheTransactionIsGoneBehindALostAnswer(TransactionStep step) throws Exception {
        peer.next("transaction", Answer.reset());
        peer.always("transaction", Answer.result(500, NOTA));
        assertThat(get(open().transaction(KEY, step))).isZero();
        assertThat(peer.received("transaction")).hasSize(2);
    }

    /** It may have been rolled back with its connection, or committed. */
    @Test
    void shouldNotKnowWhatBecameOfACommitInOnePhaseBehindALostAnswer() throws Exception {
        peer.next("transaction", Answer.reset());
        peer.always("transaction", Answer.result(500, NOTA));
        MetaqException failure = failure(open().transaction(KEY, TransactionStep.COMMIT_ONE_PHASE));
        assertThat(failure.isOutcomeUnknown()).isTrue();
        assertThat(failure).isNotInstanceOf(TransactionException.class);
    }

    @Test
    void shouldTellTheCodeOfARefusal() throws Exception {
        peer.always("transaction", Answer.result(500, NOTA));
        SubscriberLink link = open();
        MetaqException failure = failure(link.transaction(KEY, TransactionStep.ROLLBACK));
        assertThat(failure).isInstanceOfSatisfying(TransactionException.class, refusal -> {
            assertThat(refusal.xaCode()).isEqualTo(Enlistment.NOTA);
            assertThat(refusal.isOutcomeUnknown()).isFalse();
        });
        peer.always("enlist", Answer.result(500, "XAException:code=106,msg=it took too long"));
        assertThat(failure(link.enlist(step(Then.COMMIT))))
                .isInstanceOfSatisfying(
                        TransactionException.class,
                        refusal -> assertThat(refusal.xaCode()).isEqualTo(106));
    }

    @Test
    void shouldSayThatTheOutcomeIsUnknownWhenNoAnswerComes() throws Exception {
        peer.always("transaction", Answer.silence());
        SubscriberLink link =
                open(MetaqClient.builder().servers(peer.address()).subscriberTimeout(Duration.ofMillis(300)));
        MetaqException failure = failure(link.transaction(KEY, TransactionStep.COMMIT_TWO_PHASE));
        assertThat(failure.isOutcomeUnknown()).isTrue();
    }

    @Test
    void shouldAskNoOtherBrokerWhatBecameOfATransaction() throws Exception {
        try (ScriptedPeer other = ScriptedPeer.start()) {
            other.always("version", Answer.version2(8, FEATURES));
            other.always("transaction", Answer.result(500, NOTA));
            other.always("quit", Answer.close());
            SubscriberLink link = open(MetaqClient.builder()
                    .servers(peer.address() + "," + other.address())
                    .subscriberTimeout(Duration.ofSeconds(10)));
            get(link.enlist(step(Then.PREPARE)));
            peer.close();
            MetaqException failure = failure(link.transaction(KEY, TransactionStep.COMMIT_TWO_PHASE));
            assertThat(failure).isNotInstanceOf(TransactionException.class);
            assertThat(other.received("transaction")).isEmpty();
        }
    }

    @Test
    void shouldListTheBranchesThatAreInDoubt() throws Exception {
        peer.always("transaction", Answer.result(200, "XID:100:0a0b:0c:metaq\r\nXID:-1:::other"));
        SubscriberLink link = open();
        assertThat(get(link.recover("metaq"))).containsExactly(KEY, new TransactionKey.Xa(-1, "", "", "other"));
        assertThat(peer.received("transaction").get(0).line())
                .matches("transaction null link-[0-9a-f]+ RECOVER metaq \\d+");
        peer.always("transaction", Answer.result(200, ""));
        assertThat(get(link.recover(null))).isEmpty();
    }

    @Test
    void shouldTellWhoKeepsTheTransactions() throws Exception {
        peer.always(
                "version",
                (request, to) -> to.result(
                        200,
                        "2.0.0\r\nprotocol 2\r\nbroker_id 7\r\nresource_manager 5e0c-77\r\nfeatures " + FEATURES
                                + "\r\n",
                        request.opaque()));
        SubscriberLink link = open();
        assertThat(link.resourceManagerId()).isEmpty();
        get(link.ready());
        assertThat(link.resourceManagerId()).isEqualTo("5e0c-77");
    }

    @Test
    void shouldNotSendAnEnlistmentToABrokerThatWouldTakeItForNonsense() throws Exception {
        peer.always("version", Answer.version2(7, "append,subscription,transact"));
        assertThat(failure(open().enlist(step(Then.NOTHING)))).isInstanceOf(UnsupportedByBrokerException.class);
        assertThat(peer.received("enlist")).isEmpty();
    }

    private static DeliveryHandler deaf() {
        return new DeliveryHandler() {
            @Override
            public void delivered(Delivery message) {}

            @Override
            public void reset() {}

            @Override
            public void detached(String reason) {}
        };
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    private static MetaqException failure(CompletableFuture<?> future) throws Exception {
        try {
            future.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof MetaqException failure) {
                return failure;
            }
            throw e;
        }
        throw new AssertionError("it did not fail");
    }
}
