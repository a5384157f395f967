package io.metaq.tck.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.metaq.jms.MetaQXAConnectionFactory;
import io.metaq.jms.recovery.ReconnectingXaResource;
import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import io.metaq.testkit.net.FaultyLink;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The broker does what it is asked, and its answer gets lost with the connection. */
@Timeout(60)
class LostAnswerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int COPIES = 3;
    private static final List<String> INVOICES = List.of("order x1", "order x1", "order x1");
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    @TempDir
    private static Path directory;

    private static BrokerProcess broker;
    private static MetaQXAConnectionFactory direct;

    private final ExecutorService coordinator = Executors.newSingleThreadExecutor();
    private final BranchId branch = new BranchId(NUMBERS.incrementAndGet());
    private FaultyLink link;
    private Moves moves;

    /** What a coordinator asks of a resource. */
    private interface Call {
        void to(XAResource resource) throws XAException;
    }

    @BeforeAll
    static void startBroker() {
        broker = BrokerProcess.start(BrokerFiles.in(directory));
        direct = new MetaQXAConnectionFactory("metaq://127.0.0.1:" + broker.port());
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @BeforeEach
    void work() throws Exception {
        link = new FaultyLink(broker.port());
        String uri = "metaq://" + link.address() + "?commitTimeout=5000&closeTimeout=1000";
        moves = new Moves(new MetaQXAConnectionFactory(uri));
        Moves.order(direct, "order");
        moves.work(branch, COPIES);
    }

    @AfterEach
    void close() throws Exception {
        moves.close();
        link.close();
        coordinator.shutdownNow();
    }

    /** Has the answer to this call lost, and the connection with it. */
    private void losing(Call call) throws Exception {
        link.loseAnswers();
        Future<?> asked = ask(call);
        await().atMost(PATIENCE).until(() -> link.lost() > 0);
        link.heal();
        link.cut();
        asked.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private Future<?> ask(Call call) {
        return coordinator.submit(() -> {
            call.to(moves.resource());
            return null;
        });
    }

    private static void assertUnknown(Call call) {
        XAResource fresh = ReconnectingXaResource.of(direct.options());
        assertThatThrownBy(() -> call.to(fresh))
                .isInstanceOfSatisfying(
                        XAException.class, e -> assertThat(e.errorCode).isEqualTo(XAException.XAER_NOTA));
    }

    private void assertDoneOnce() throws Exception {
        assertThat(ReconnectingXaResource.of(direct.options()).recover(XAResource.TMSTARTRSCAN))
                .isEmpty();
        assertUnknown(resource -> resource.commit(branch, false));
        assertUnknown(resource -> resource.rollback(branch));
        assertThat(Moves.taken(direct, "invoices")).isEqualTo(INVOICES);
        assertThat(Moves.taken(direct, "orders")).isEmpty();
    }

    @Test
    void shouldCommitOnceWhenTheAnswerIsLost() throws Exception {
        moves.resource().prepare(branch);
        losing(resource -> resource.commit(branch, false));
        assertDoneOnce();
    }

    @Test
    void shouldCommitOnceInOnePhaseWhenTheAnswerIsLost() throws Exception {
        losing(resource -> resource.commit(branch, true));
        assertDoneOnce();
    }

    @Test
    void shouldPrepareOnceWhenTheAnswerIsLost() throws Exception {
        losing(resource -> assertThat(resource.prepare(branch)).isEqualTo(XAResource.XA_OK));
        moves.resource().commit(branch, false);
        assertDoneOnce();
    }

    @Test
    void shouldRollBackOnceWhenTheAnswerIsLost() throws Exception {
        moves.resource().prepare(branch);
        losing(resource -> resource.rollback(branch));
        assertUnknown(resource -> resource.commit(branch, false));
        moves.close();
        assertThat(Moves.taken(direct, "invoices")).isEmpty();
        assertThat(Moves.taken(direct, "orders")).containsExactly("order x2");
    }

    /** The coordinator is told that nothing is known, asks again by another way, and hears that there is nothing left to do. */
    @Test
    void shouldSayThatTheOutcomeIsUnknownWhenTheBrokerStaysAway() throws Exception {
        moves.resource().prepare(branch);
        link.loseAnswers();
        Future<?> asked = ask(resource -> resource.commit(branch, false));
        await().atMost(PATIENCE).until(() -> link.lost() > 0);
        link.close();

        assertThatThrownBy(() -> asked.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        XAException.class, e -> assertThat(e.errorCode).isEqualTo(XAException.XAER_RMFAIL));
        assertDoneOnce();
    }
}
