package io.metaq.tck.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import io.metaq.tck.harness.FileSystemImage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An application moves a message and writes a row in one transaction; it, the broker, or both are killed in the middle. When both are
 * there again, and recovery has made two passes, all of it is done or nothing, and nobody is in doubt. A branch of another node is
 * prepared at the same broker all the time, and is none of their business.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CrashMatrixTest {
    private static final String NODE = "tck-1";
    private static final String OTHER_NODE = "tck-2";
    private static final String ALL = "0 1 1";
    private static final String NOTHING = "1 0 0";
    private static final int ROUNDS = Integer.getInteger("tck.crash-xa.rounds", 0);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path directory;
    private final BrokerFiles files;
    private BrokerProcess broker;
    private ApplicationProcess application;
    private int moves;

    CrashMatrixTest(@TempDir Path directory) {
        this.directory = directory;
        files = BrokerFiles.in(directory.resolve("broker"));
        broker = BrokerProcess.start(files);
        application = application(NODE);
    }

    static List<Crash> crashes() {
        List<Crash> crashes = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            crashes.addAll(Crash.all());
        }
        return ROUNDS == 0 ? Crash.dozen() : crashes;
    }

    private ApplicationProcess application(String node) {
        return ApplicationProcess.start(files.port(), directory.resolve(node), node);
    }

    @BeforeAll
    void leaveABranchOfAnotherNode() {
        try (var other = application(OTHER_NODE)) {
            other.ask("put other", "put");
            other.ask("move other broker AFTER_PREPARE_2", "at");
            other.kill9();
        }
    }

    /** Its own node finishes it, as if nothing had been. */
    @AfterAll
    void finishTheBranchOfTheOtherNode() {
        try (var running = broker;
                var one = application;
                var other = application(OTHER_NODE)) {
            assertThat(other.ask("recover", "recovered")).isEqualTo("0 0 0 0");
            assertThat(other.ask("look other", "found")).isEqualTo(NOTHING);
        }
    }

    @ParameterizedTest
    @MethodSource("crashes")
    void shouldDoAllOrNothing(Crash crash) throws Exception {
        if (!crash.fault().injection().isEmpty()) {
            FileSystemImage.assumeInstalled("strace");
        }
        String name = "move-" + ++moves;
        application.ask("put " + name, "put");
        application.send("move %s %s %s".formatted(name, crash.brokerFirst() ? "broker" : "rows", crash.point()));
        application.await("at");

        String outcome;
        if (crash.fault().killsApplication()) {
            outcome = killApplication(crash);
            assertThat(application.ask("doubt", "doubt")).isEqualTo(crash.doubt());
        } else {
            outcome = killBroker(crash.fault());
        }

        assertThat(application.ask("recover", "recovered"))
                .as("in doubt at the broker, in the database, in the log; others")
                .isEqualTo("0 0 0 1");
        String found = application.ask("look " + name, "found");
        assertThat(found).as("%s: orders, rows, invoices", outcome).isIn(outcomes(outcome));
    }

    private static List<String> outcomes(String outcome) {
        return switch (outcome) {
            case "committed" -> List.of(ALL);
            case "rolled-back" -> List.of(NOTHING);
            default -> List.of(ALL, NOTHING);
        };
    }

    private String killApplication(Crash crash) {
        application.kill9();
        if (crash.fault() == Crash.Fault.BOTH) {
            broker.kill9();
            application = application(NODE);
            broker = BrokerProcess.start(files);
        } else {
            application = application(NODE);
        }
        return crash.point().decided() ? "committed" : "rolled-back";
    }

    private String killBroker(Crash.Fault fault) {
        if (fault.injection().isEmpty()) {
            broker.kill9();
            application.send("go on");
        } else {
            try (var tracer = Tracer.attach(broker.pid(), fault.injection())) {
                application.send("go on");
                await().atMost(PATIENCE).until(() -> !broker.isAlive() || application.hasSpoken());
            }
            assertThat(broker.isAlive()).as("the broker never came there").isFalse();
        }
        broker.close();
        broker = BrokerProcess.start(files);
        return application.await("ended");
    }
}
