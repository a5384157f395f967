package io.metaq.broker.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The transactions of 1.4 over the wire, and what an operator does with them. */
class TransactionCommandTest {
    private static final String LOCAL = "TX:fe80::1-s:1";
    private static final String BRANCH = "XID:100:0a0b:0c0d:uq-host";
    private static final String OTHER = "XID:100:0a0b:0c0e:77";

    @TempDir
    private Path dir;

    private TestBroker broker;
    private Wire wire;

    @BeforeEach
    void start() throws IOException {
        broker = new TestBroker(dir);
        connect();
    }

    private void connect() {
        wire = broker.connect();
        wire.ask("topic create q OPQ kind=queue");
    }

    @AfterEach
    void stop() throws IOException {
        broker.close();
    }

    private static String step(Wire wire, String key, String step) {
        return wire.ask("transaction " + key + " s1 " + step + " OPQ");
    }

    private String step(String key, String step) {
        return step(wire, key, step);
    }

    private String put(String key, String text) {
        return Wire.get(wire.begin(
                "put q 0 " + text.length() + " 0 -1 " + key + " OPQ", text.getBytes(StandardCharsets.UTF_8)));
    }

    /** stats may be asked without an item only by two blanks, as 1.4's client does. */
    private String stats() {
        return wire.ask("stats  OPQ");
    }

    private Inbox drained() {
        Inbox inbox = new Inbox();
        Wire.Seat seat = broker.connect().queue("q", inbox);
        seat.drain(100);
        seat.detach();
        return inbox;
    }

    @Test
    void shouldShowAllOfALocalTransactionOnceItCommits() {
        assertThat(step(LOCAL, "BEGIN")).isEqualTo("200 ");
        assertThat(put(LOCAL, "a")).isEqualTo("200 0 0 -1");
        assertThat(put(LOCAL, "b")).isEqualTo("200 0 0 -1");
        assertThat(drained().texts()).isEmpty();

        assertThat(step(LOCAL, "COMMIT_ONE_PHASE")).isEqualTo("200 ");

        assertThat(drained().texts()).containsExactly("a", "b");
        assertThat(step(LOCAL, "COMMIT_ONE_PHASE"))
                .isEqualTo("500 Local transaction '" + LOCAL + "' has not been started.");
    }

    @Test
    void shouldKeepLocalTransactionsOfConnectionsApart() throws IOException {
        step(LOCAL, "BEGIN");
        put(LOCAL, "first");
        Wire late = wire;
        wire = broker.connect();
        step(LOCAL, "BEGIN");
        put(LOCAL, "second");

        assertThat(step(late, LOCAL, "ROLLBACK")).isEqualTo("200 ");
        assertThat(step(late, LOCAL, "COMMIT_ONE_PHASE")).startsWith("500 Local transaction");
        assertThat(drained().texts()).isEmpty();

        assertThat(step(LOCAL, "COMMIT_ONE_PHASE")).isEqualTo("200 ");
        assertThat(drained().texts()).containsExactly("second");
        late.close();
    }

    @Test
    void shouldCommitAPreparedBranchAfterARestartFromAnyConnectionOnce() throws IOException {
        step(BRANCH, "BEGIN 10 uq-host");
        put(BRANCH, "a");
        assertThat(step(BRANCH, "PREPARE uq-host")).isEqualTo("200 0");
        assertThat(step(BRANCH, "PREPARE uq-host")).isEqualTo("200 0");
        broker.restart();
        connect();

        assertThat(drained().texts()).isEmpty();
        assertThat(wire.ask("transaction null s2 RECOVER OPQ")).isEqualTo("200 " + BRANCH);
        assertThat(wire.ask("transaction null s2 RECOVER uq-host OPQ")).isEqualTo("200 " + BRANCH);
        assertThat(wire.ask("transaction null s2 RECOVER 77 OPQ")).isEqualTo("200 ");
        assertThat(step(BRANCH, "COMMIT_TWO_PHASE uq-host")).isEqualTo("200 ");
        assertThat(step(BRANCH, "COMMIT_TWO_PHASE uq-host")).startsWith("500 XAException:code=-4,msg=");
        assertThat(drained().texts()).containsExactly("a");
        assertThat(wire.ask("transaction null s2 RECOVER OPQ")).isEqualTo("200 ");
    }

    @Test
    void shouldFollowTheRulesOfXOpen() {
        assertThat(step(OTHER, "BEGIN")).isEqualTo("200 ");
        assertThat(step(OTHER, "BEGIN")).isEqualTo("200 ");
        assertThat(step(OTHER, "COMMIT_TWO_PHASE 77")).startsWith("500 XAException:code=-6,msg=");
        wire.say("transaction " + OTHER + " s1 END 77 999", new byte[0]);
        assertThat(step(OTHER, "PREPARE 77")).isEqualTo("200 3");
        assertThat(step(OTHER, "PREPARE 77")).startsWith("500 XAException:code=-4,msg=");
        assertThat(step(OTHER, "ROLLBACK 77")).startsWith("500 XAException:code=-4,msg=");
        assertThat(step(OTHER, "FORGET 77")).isEqualTo("200 ");
        assertThat(step(LOCAL, "FORGET")).startsWith("500 XAException:code=-4,msg=");
        assertThat(step(LOCAL, "PREPARE"))
                .isEqualTo("500 XAException:code=-3,msg=Prepare not implemented on Local Transactions.");
    }

    @Test
    void shouldRefusePutsThatNoTransactionTakes() {
        assertThat(put(LOCAL, "a")).isEqualTo("500 Local transaction '" + LOCAL + "' has not been started.");
        assertThat(put(BRANCH, "a")).isEqualTo("500 XA transaction '" + BRANCH + "' has not been started.");
        assertThat(put("null", "a")).isEqualTo("500 Local transaction 'null' has not been started.");
        step(LOCAL, "BEGIN");
        assertThat(Wire.get(wire.begin("put q -1 1 0 " + LOCAL + " OPQ", new byte[] {'a'})))
                .isEqualTo("500 Invalid partition for transaction command:-1");
        assertThat(Wire.get(wire.begin("put q 3 1 0 " + LOCAL + " OPQ", new byte[] {'a'})))
                .isEqualTo("500 wrong partition 3");
    }

    @Test
    void shouldRollBackWhatIsNotPreparedWhenItsConnectionEnds() throws IOException {
        step(LOCAL, "BEGIN");
        step(BRANCH, "BEGIN");
        put(BRANCH, "a");
        step(OTHER, "BEGIN");
        put(OTHER, "b");
        step(OTHER, "PREPARE 77");
        wire.close();

        wire = broker.connect();
        await().untilAsserted(() -> assertThat(wire.ask("tx list * OPQ")).startsWith("200 " + OTHER));
        assertThat(wire.ask("tx list * OPQ")).contains("phase prepared").doesNotContain(BRANCH, LOCAL);
        assertThat(step(BRANCH, "COMMIT_ONE_PHASE uq-host")).startsWith("500 XAException:code=100,msg=");
        assertThat(step(BRANCH, "ROLLBACK uq-host")).isEqualTo("200 ");
        assertThat(step(OTHER, "COMMIT_TWO_PHASE 77")).isEqualTo("200 ");
        assertThat(drained().texts()).containsExactly("b");
    }

    @Test
    void shouldRollBackWhatTakesTooLongUnlessItIsPrepared() {
        step(BRANCH, "BEGIN 1 uq-host");
        put(BRANCH, "a");
        step(OTHER, "BEGIN 1 77");
        put(OTHER, "b");
        step(OTHER, "PREPARE 77");

        await().untilAsserted(() -> assertThat(wire.ask("tx list * OPQ")).doesNotContain(BRANCH));
        assertThat(step(BRANCH, "PREPARE uq-host")).startsWith("500 XAException:code=106,msg=");
        assertThat(step(OTHER, "COMMIT_TWO_PHASE 77")).isEqualTo("200 ");
    }

    @Test
    void shouldRollBackWhatIsNotPreparedWhenTheBrokerStartsAgain() throws IOException {
        step(BRANCH, "BEGIN");
        put(BRANCH, "a");
        broker.restart();
        connect();
        assertThat(wire.ask("tx list * OPQ")).isEqualTo("200 ");
        assertThat(drained().texts()).isEmpty();
    }

    @Test
    void shouldTellTheCoordinatorWhatAnOperatorDecided() throws IOException {
        step(BRANCH, "BEGIN");
        put(BRANCH, "a");
        assertThat(wire.ask("tx commit " + BRANCH + " OPQ")).startsWith("409 ");
        step(BRANCH, "PREPARE uq-host");
        assertThat(wire.ask("tx show " + BRANCH + " OPQ"))
                .contains("phase prepared", "messages 1", "topic q partition 0 messages 1", "owner ");
        assertThat(wire.ask("tx forget " + BRANCH + " OPQ")).startsWith("409 ");
        assertThat(wire.ask("tx commit " + BRANCH + " OPQ")).isEqualTo("200 ");
        assertThat(drained().texts()).containsExactly("a");
        broker.restart();
        connect();

        assertThat(wire.ask("transaction null s2 RECOVER OPQ")).isEqualTo("200 " + BRANCH);
        assertThat(step(BRANCH, "ROLLBACK uq-host")).startsWith("500 XAException:code=7,msg=");
        assertThat(step(BRANCH, "FORGET uq-host")).isEqualTo("200 ");
        assertThat(step(BRANCH, "COMMIT_TWO_PHASE uq-host")).startsWith("500 XAException:code=-4,msg=");
        assertThat(wire.ask("tx show " + BRANCH + " OPQ")).startsWith("404 ");
    }

    @Test
    void shouldLetAnOperatorRollBackWhatIsInDoubt() {
        step(BRANCH, "BEGIN");
        put(BRANCH, "a");
        step(BRANCH, "PREPARE uq-host");
        assertThat(wire.ask("tx rollback " + BRANCH + " OPQ")).isEqualTo("200 ");
        assertThat(step(BRANCH, "COMMIT_TWO_PHASE uq-host")).startsWith("500 XAException:code=6,msg=");
        assertThat(wire.ask("tx forget " + BRANCH + " OPQ")).isEqualTo("200 ");
        assertThat(wire.ask("tx list * OPQ")).isEqualTo("200 ");
        assertThat(drained().texts()).isEmpty();
    }

    @Test
    void shouldCountATransactionOnceHoweverOftenItsEndIsAskedFor() {
        step(BRANCH, "BEGIN 1");
        await().atMost(Duration.ofSeconds(60)).until(() -> stats().contains("tx_rollback 1"));
        assertThat(step(BRANCH, "PREPARE uq-host")).startsWith("500 XAException:code=106");
        assertThat(step(BRANCH, "ROLLBACK uq-host")).startsWith("200 ");
        assertThat(stats()).contains("tx_begin 0", "tx_xa_begin 1", "tx_commit 0", "tx_rollback 1");
    }

    @Test
    void shouldCountTransactions() {
        step(LOCAL, "BEGIN");
        step(LOCAL, "COMMIT_ONE_PHASE");
        step(BRANCH, "BEGIN");
        step(BRANCH, "ROLLBACK uq-host");
        assertThat(stats()).contains("tx_begin 1", "tx_xa_begin 1", "tx_commit 1", "tx_rollback 1");
    }
}
