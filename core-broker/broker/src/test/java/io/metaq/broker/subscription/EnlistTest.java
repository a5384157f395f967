package io.metaq.broker.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Branches that send and acknowledge, over the wire. */
class EnlistTest {
    private static final String BRANCH = "XID:1:0a:0b:metaq";

    @TempDir
    private Path dir;

    private TestBroker broker;
    private Wire wire;
    private final Inbox in = new Inbox();

    @BeforeEach
    void start() throws IOException {
        broker = new TestBroker(dir);
        wire = broker.connect();
    }

    @AfterEach
    void stop() throws IOException {
        broker.close();
    }

    private static String enlist(Wire wire, String key, Parts parts, String options) {
        byte[] body = parts.toBytes();
        return Wire.get(wire.begin("enlist " + key + " " + body.length + " OPQ" + options, body));
    }

    private String enlist(Parts parts, String options) {
        return enlist(wire, BRANCH, parts, options);
    }

    private static String step(Wire wire, String step) {
        return wire.ask("transaction " + BRANCH + " s " + step + " metaq OPQ");
    }

    private Wire.Seat took(String... texts) {
        broker.wire().ask("topic create in OPQ kind=queue");
        broker.wire().ask("topic create out OPQ kind=queue");
        broker.send("in", texts);
        Wire.Seat seat = wire.queue("in", in);
        assertThat(seat.drain(texts.length)).isEqualTo(texts.length);
        return seat;
    }

    private Inbox drained(String queue) {
        Inbox inbox = new Inbox();
        Wire.Seat seat = broker.connect().queue(queue, inbox);
        seat.drain(100);
        seat.detach();
        return inbox;
    }

    private String depth(String queue) {
        String list = broker.wire().ask("subscription list queue:" + queue + " OPQ");
        return list.substring(list.indexOf("depth ")).strip();
    }

    @Test
    void shouldHoldBothSidesOfAPreparedBranchOverARestart() throws IOException {
        Wire.Seat seat = took("1", "2");
        Parts parts = new Parts().message("out", "a").acknowledge(seat, in).message("out", "b");
        assertThat(enlist(parts, " then=prepare producer=5 seq=1")).isEqualTo("200 0 number 1");
        wire.close();
        assertThat(drained("in").texts()).isEmpty();
        assertThat(drained("out").texts()).isEmpty();
        broker.restart();

        assertThat(drained("in").texts()).isEmpty();
        assertThat(drained("out").texts()).isEmpty();
        assertThat(depth("in")).isEqualTo("depth 2");
        assertThat(broker.wire().ask("tx list * OPQ")).contains("messages 2", "acknowledged 2");
        wire = broker.connect();
        assertThat(step(wire, "COMMIT_TWO_PHASE")).isEqualTo("200 ");

        assertThat(drained("out").texts()).containsExactly("a", "b");
        assertThat(depth("in")).isEqualTo("depth 0");
    }

    @Test
    void shouldGiveBackWhatARolledBackBranchAcknowledged() throws IOException {
        Wire.Seat seat = took("1", "2");
        enlist(new Parts().message("out", "a").acknowledge(seat, in), " then=prepare");
        broker.restart();
        wire = broker.connect();
        Inbox again = new Inbox();
        wire.queue("in", again).credit(10);

        assertThat(step(wire, "ROLLBACK")).isEqualTo("200 ");

        await().untilAsserted(() -> assertThat(again.counted()).containsExactly("1:2", "2:2"));
        assertThat(drained("out").texts()).isEmpty();
    }

    @Test
    void shouldDeliverAgainToAConsumerThatWaits() {
        Wire.Seat seat = took("1");
        enlist(new Parts().acknowledge(seat, in), "");
        seat.credit(10);
        assertThat(in.got).hasSize(1);
        step(wire, "ROLLBACK");
        await().untilAsserted(() -> assertThat(in.counted()).containsExactly("1:1", "1:2"));
    }

    @Test
    void shouldAnswerAResendAsItWasAnsweredFirst() throws IOException {
        Wire.Seat seat = took("1");
        Parts parts = new Parts().message("out", "a").acknowledge(seat, in);
        assertThat(enlist(parts, " then=prepare producer=5 seq=1")).isEqualTo("200 0 number 1");
        assertThat(enlist(parts, " then=prepare producer=5 seq=1")).isEqualTo("200 0 number 1");
        step(wire, "COMMIT_TWO_PHASE");
        assertThat(enlist(parts, " then=prepare producer=5 seq=1")).isEqualTo("200 0 number 1");
        assertThat(enlist(parts, " then=prepare producer=5 seq=2")).startsWith("409 ");

        Parts one = new Parts().message("out", "b");
        assertThat(enlist(one, " then=commit producer=5 seq=3")).isEqualTo("200 ");
        assertThat(enlist(one, " then=commit producer=5 seq=3 begun=true")).isEqualTo("200 ");
        assertThat(drained("out").texts()).containsExactly("a", "b");
        assertThat(wire.ask("stats  OPQ")).as("counted once each").contains("tx_commit 2", "tx_rollback 0");
    }

    /** A network may hold a commit back until its transaction has ended by another way, and the key is used again. */
    @Test
    void shouldNotLetALateStepLandOnTheNextTransactionOfTheKey() {
        took();
        assertThat(enlist(new Parts().message("out", "first"), " then=prepare")).isEqualTo("200 0 number 1");
        assertThat(step(wire, "ROLLBACK")).isEqualTo("200 ");
        assertThat(enlist(new Parts().message("out", "second"), "")).isEqualTo("200 number 2");
        for (String late : new String[] {"COMMIT_ONE_PHASE", "PREPARE", "COMMIT_TWO_PHASE", "ROLLBACK"}) {
            assertThat(wire.ask("transaction " + BRANCH + " s " + late + " metaq OPQ number=1"))
                    .as(late)
                    .startsWith("500 XAException:code=-4,");
        }
        assertThat(wire.ask("transaction " + BRANCH + " s PREPARE metaq OPQ number=2"))
                .isEqualTo("200 0");
        assertThat(wire.ask("transaction " + BRANCH + " s COMMIT_TWO_PHASE metaq OPQ number=1"))
                .startsWith("500 XAException:code=-4,");
        assertThat(wire.ask("transaction " + BRANCH + " s COMMIT_TWO_PHASE metaq OPQ number=2"))
                .isEqualTo("200 ");
    }

    /** What is refused leaves the rest where it is, which ends with its connection all the same. */
    @Test
    void shouldStillRollBackWithItsConnectionWhatHadAPieceRefused() throws IOException {
        took();
        Wire other = broker.wire();
        assertThat(enlist(other, BRANCH, new Parts().message("out", "a"), "")).isEqualTo("200 number 1");
        assertThat(enlist(other, BRANCH, new Parts().message("nowhere", "b"), " begun=true"))
                .startsWith("40");
        assertThat(wire.ask("tx list * OPQ")).contains("phase active");
        other.close();
        await().untilAsserted(() -> assertThat(wire.ask("tx list * OPQ")).isEqualTo("200 "));
    }

    @Test
    void shouldKeepPiecesUntilTheLastOne() {
        took();
        assertThat(enlist(new Parts().message("out", "a"), "")).isEqualTo("200 number 1");
        assertThat(enlist(new Parts().message("out", "b"), " begun=true")).isEqualTo("200 number 1");
        assertThat(drained("out").texts()).isEmpty();
        assertThat(enlist(new Parts().message("out", "c"), " begun=true then=commit"))
                .isEqualTo("200 ");
        assertThat(drained("out").texts()).containsExactly("a", "b", "c");
    }

    @Test
    void shouldNotGoOnWithABranchWhosePiecesAreGone() throws IOException {
        Wire.Seat seat = took("1");
        assertThat(enlist(new Parts().message("out", "a"), " begun=true")).startsWith("500 XAException:code=-4,msg=");
        enlist(new Parts().message("out", "a").acknowledge(seat, in), "");
        wire.close();
        await().untilAsserted(
                        () -> assertThat(broker.wire().ask("tx list * OPQ")).isEqualTo("200 "));
        wire = broker.connect();
        assertThat(enlist(new Parts().message("out", "b"), " begun=true then=prepare"))
                .startsWith("500 XAException:code=100,msg=");
        assertThat(drained("in").counted()).containsExactly("1:2");
        assertThat(drained("out").texts()).isEmpty();
    }

    @Test
    void shouldFindNothingToCommitInAnEmptyBranch() {
        assertThat(enlist(new Parts(), " then=prepare")).isEqualTo("200 3");
        assertThat(broker.wire().ask("tx list * OPQ")).isEqualTo("200 ");
    }

    @Test
    void shouldLeaveWhatItRefusesWithItsConsumer() {
        Wire.Seat seat = took("1");
        assertThat(enlist(new Parts().acknowledge(seat, in).message("nowhere!", "a"), " then=prepare"))
                .startsWith("4");
        assertThat(broker.wire().ask("tx list * OPQ")).isEqualTo("200 ");
        assertThat(seat.ack(in.all())).isEqualTo("200 acknowledged 1 missed 0");
    }

    @Test
    void shouldHoldMessagesOfSubscriptionsThatAreNotJournalled() {
        broker.wire().ask("topic create news OPQ");
        Wire.Seat seat = wire.attach("shared:c:s", "news", "shared", "", in);
        broker.send("news", "1", "2");
        assertThat(seat.drain(1)).isEqualTo(1);

        assertThat(enlist(new Parts().acknowledge(seat, in), " then=prepare")).isEqualTo("200 0 number 1");
        assertThat(step(wire, "ROLLBACK")).isEqualTo("200 ");
        in.got.clear();
        assertThat(seat.drain(1)).isEqualTo(1);
        assertThat(in.counted()).containsExactly("1:2");

        assertThat(enlist(new Parts().acknowledge(seat, in), " then=prepare")).isEqualTo("200 0 number 2");
        assertThat(step(wire, "COMMIT_TWO_PHASE")).isEqualTo("200 ");
        assertThat(step(wire, "COMMIT_TWO_PHASE")).startsWith("500 XAException:code=-4,msg=");
        in.got.clear();
        assertThat(seat.drain(10)).isEqualTo(1);
        assertThat(in.counted()).containsExactly("2:1");
    }

    @Test
    void shouldTellAnOperatorThatATransactionHoldsTheMessages() {
        Wire.Seat seat = took("1", "2");
        enlist(new Parts().acknowledge(seat, in), " then=prepare");
        assertThat(broker.wire().ask("stats  OPQ")).contains("tx_open 0", "tx_in_doubt 1\r\n", "tx_in_doubt_since 1");
        assertThat(broker.wire().ask("subscription explain queue:in OPQ"))
                .startsWith(
                        "200 transactions: 2 messages were received in transactions that have not ended, the oldest of"
                                + " which, "
                                + BRANCH + ", is prepared")
                .contains("depth 2\r\n", "pending 0\r\n", "locked 2\r\n");
        step(wire, "COMMIT_TWO_PHASE");
        assertThat(broker.wire().ask("stats  OPQ")).contains("tx_in_doubt 0\r\n", "tx_in_doubt_since 0\r\n");
        assertThat(broker.wire().ask("subscription explain queue:in OPQ"))
                .startsWith("200 no messages")
                .contains("locked 0\r\n");
    }

    @Test
    void shouldTakeAcknowledgementsWhileTheDiskIsFull() throws IOException {
        took("1", "2", "3");
        wire.close();
        broker.restart(99);
        wire = broker.connect();
        await().untilAsserted(() ->
                assertThat(enlist(new Parts().message("out", "a"), "")).startsWith("507 "));
        in.got.clear();
        Wire.Seat seat = wire.queue("in", in);
        assertThat(seat.drain(10)).isEqualTo(3);
        assertThat(enlist(new Parts().acknowledge(seat, in).message("out", "a"), " then=prepare"))
                .startsWith("507 ");
        assertThat(enlist(new Parts().acknowledge(seat, in), " then=prepare")).startsWith("200 0");
        assertThat(step(wire, "COMMIT_TWO_PHASE")).isEqualTo("200 ");
        assertThat(depth("in")).isEqualTo("depth 0");
    }

    @Test
    void shouldTakePartInWhatTemporaryQueuesDo() {
        took();
        assertThat(wire.ask("topic create temp:r OPQ kind=temporary-queue")).startsWith("200");
        Wire.Seat seat = wire.attach("queue:temp:r", "temp:r", "queue", "", in);
        assertThat(enlist(new Parts().message("temp:r", "reply").message("out", "a"), " then=prepare"))
                .startsWith("200 0");
        assertThat(seat.drain(10)).isZero();
        assertThat(step(wire, "COMMIT_TWO_PHASE")).isEqualTo("200 ");
        assertThat(seat.drain(10)).isEqualTo(1);
        assertThat(in.texts()).containsExactly("reply");

        assertThat(enlist(new Parts().acknowledge(seat, in).message("out", "b"), " then=commit"))
                .isEqualTo("200 ");
        assertThat(seat.ack(in.all())).isEqualTo("200 acknowledged 0 missed 1");
        assertThat(drained("out").texts()).containsExactly("a", "b");
    }

    @Test
    void shouldEndWithItsQueueOnlyWhenThatGoes() {
        Wire.Seat seat = took("1");
        enlist(new Parts().acknowledge(seat, in).message("out", "a"), " then=prepare");
        assertThat(broker.wire().ask("topic delete out OPQ")).startsWith("409 ");
        assertThat(broker.wire().ask("topic delete in OPQ")).startsWith("409 ");
        assertThat(broker.wire().ask("subscription purge queue:in OPQ")).isNotNull();
        assertThat(step(wire, "COMMIT_TWO_PHASE")).isEqualTo("200 ");
        assertThat(depth("in")).isEqualTo("depth 0");
        assertThat(drained("out").texts()).containsExactly("a");
    }

    @Test
    void shouldCommitManyBranchesInAnyOrder() {
        took();
        for (int i = 0; i < 200; i++) {
            String key = "XID:1:0a:%04x:metaq".formatted(i);
            assertThat(enlist(wire, key, new Parts().message("out", "m" + i), " then=prepare"))
                    .startsWith("200 0 number ");
        }
        for (int i = 0; i < 200; i++) {
            String key = "XID:1:0a:%04x:metaq".formatted(i * 77 % 200);
            String step = i % 2 == 0 ? "COMMIT_TWO_PHASE" : "ROLLBACK";
            assertThat(wire.ask("transaction " + key + " s " + step + " metaq OPQ"))
                    .isEqualTo("200 ");
        }
        assertThat(drained("out").got).hasSize(100);
        assertThat(broker.wire().ask("tx list * OPQ")).isEqualTo("200 ");
    }
}
