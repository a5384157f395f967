package io.metaq.tck.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.jms.MetaQXAConnectionFactory;
import io.metaq.jms.recovery.ReconnectingXaResource;
import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import io.metaq.tck.harness.StoredMessage;
import io.metaq.tck.harness.Wire;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is prepared stays so while the journal's files are used again and again and the broker is killed, and ends as it is told to.
 * Every order is in the end in one place, once: as an invoice, or as the order that was given back.
 */
@Timeout(180)
class PreparedThroughKillsTest {
    private static final int SEGMENT_BYTES = 1024 * 1024;
    private static final int SEGMENTS = 100;
    private static final int FILLING_BYTES = 64 * 1024;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private final long seed = Long.getLong("tck.seed", System.nanoTime());
    private final Random dice = new Random(seed);
    private final List<String> committed = new ArrayList<>();
    private final List<String> rolledBack = new ArrayList<>();
    private BrokerFiles files;
    private MetaQXAConnectionFactory factory;

    @ParameterizedTest
    @ValueSource(ints = {2, 1000})
    void shouldFinishEachBranchAsItIsToldTo(int branches) throws Exception {
        files = BrokerFiles.in(directory)
                .set("journalSegmentSize", SEGMENT_BYTES)
                .set("maxMessageSize", 256 * 1024)
                .set("checkpointBytes", 4 * SEGMENT_BYTES)
                .osTopic("filling", 1);
        factory = new MetaQXAConnectionFactory("metaq://127.0.0.1:" + files.port());
        BrokerProcess broker = BrokerProcess.start(files);
        try {
            List<String> orders = prepare(branches);
            writeSegments();
            broker.kill9();
            broker = BrokerProcess.start(files);

            List<Xid> left = inDoubt();
            assertThat(left).hasSize(branches);
            assertThat(Moves.taken(factory, "orders")).as("locked").isEmpty();
            assertThat(Moves.taken(factory, "invoices")).as("invisible").isEmpty();

            Collections.shuffle(left, dice);
            finish(left.subList(0, branches / 2), orders);
            broker.kill9();
            broker = BrokerProcess.start(files);
            assertThat(inDoubt()).hasSize(branches - branches / 2);
            finish(left.subList(branches / 2, branches), orders);
            broker.kill9();
            broker = BrokerProcess.start(files);

            assertThat(inDoubt()).isEmpty();
            assertThat(Moves.taken(factory, "invoices")).as("seed %d", seed).containsExactlyElementsOf(committed);
            assertThat(Moves.taken(factory, "orders"))
                    .as("seed %d", seed)
                    .containsExactlyInAnyOrderElementsOf(rolledBack);
        } finally {
            broker.close();
        }
    }

    /** A branch for each order; the order's text by the branch's number. */
    private List<String> prepare(int branches) throws Exception {
        Moves.order(
                factory,
                IntStream.range(0, branches).mapToObj(n -> "order-" + n).toArray(String[]::new));
        List<String> orders = new ArrayList<>();
        try (Moves moves = new Moves(factory)) {
            for (int n = 0; n < branches; n++) {
                BranchId branch = new BranchId(n);
                orders.add(moves.work(branch, 1));
                assertThat(moves.resource().prepare(branch)).isEqualTo(XAResource.XA_OK);
            }
        }
        return orders;
    }

    private void writeSegments() throws IOException {
        byte[] message = StoredMessage.encode(new byte[FILLING_BYTES]);
        try (var wire = Wire.connect(files.port())) {
            for (int n = 0; n < SEGMENTS * (SEGMENT_BYTES / FILLING_BYTES); n++) {
                var reply = wire.ask("append filling 0 1 " + message.length, message);
                assertThat(reply.ok()).as(reply.text()).isTrue();
            }
        }
    }

    private List<Xid> inDoubt() {
        XAResource resource = ReconnectingXaResource.of(factory.options());
        List<Xid> found = new ArrayList<>();
        // The connection of before the kill is only known to be dead once it was used.
        await().atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(XAException.class)
                .untilAsserted(() -> found.addAll(Arrays.asList(resource.recover(XAResource.TMSTARTRSCAN))));
        return found;
    }

    private void finish(List<Xid> branches, List<String> orders) throws XAException {
        XAResource resource = ReconnectingXaResource.of(factory.options());
        for (Xid branch : branches) {
            String order = orders.get(BranchId.numberOf(branch));
            if (committed.size() <= rolledBack.size()) {
                resource.commit(branch, false);
                committed.add(order + " x1");
            } else {
                resource.rollback(branch);
                rolledBack.add(order + " x2");
            }
        }
    }
}
