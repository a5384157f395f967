package io.metaq.tck.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A transaction over two brokers: each has a branch of it, prepared and committed like any other. One of the brokers is killed in the
 * middle, or everything is; in the end both have what was sent to them, or neither.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class TwoBrokersTest {
    private static final String ALL = "0 1 1";
    private static final String NOTHING = "1 0 0";
    private static final int ROUNDS = Integer.getInteger("tck.crash-xa.rounds", 0);

    /** Instead of a broker: both of them, and the application. */
    private static final int EVERYTHING = 2;

    private final Path directory;
    private final BrokerFiles[] files;
    private final BrokerProcess[] brokers;
    private ApplicationProcess ferry;

    TwoBrokersTest(@TempDir Path directory) {
        this.directory = directory;
        files = new BrokerFiles[] {
            BrokerFiles.in(directory.resolve("first")),
            BrokerFiles.in(directory.resolve("second")).set("brokerId", 1)
        };
        brokers = new BrokerProcess[] {BrokerProcess.start(files[0]), BrokerProcess.start(files[1])};
        ferry = ferry();
    }

    private ApplicationProcess ferry() {
        return ApplicationProcess.startFerry(files[0].port(), files[1].port(), directory.resolve("ferry"));
    }

    @AfterAll
    void stop() {
        ferry.close();
        for (BrokerProcess broker : brokers) {
            broker.close();
        }
    }

    static List<Arguments> crashes() {
        List<Arguments> few = List.of(
                arguments(Point.AFTER_PREPARE_2, 1),
                arguments(Point.AFTER_COMMIT_1, 1),
                arguments(Point.AFTER_PREPARE_2, EVERYTHING),
                arguments(Point.AFTER_COMMIT_1, EVERYTHING));
        List<Arguments> all = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (Point point : Point.values()) {
                for (int victim = 0; victim <= EVERYTHING && point != Point.COMMITTED; victim++) {
                    all.add(arguments(point, victim));
                }
            }
        }
        return ROUNDS == 0 ? few : all;
    }

    @ParameterizedTest
    @MethodSource("crashes")
    void shouldDoAllOrNothing(Point point, int victim) {
        ferry.ask("put", "put");
        ferry.send("move " + point);
        ferry.await("at");
        boolean committed;
        if (victim == EVERYTHING) {
            ferry.kill9();
            restart(0);
            restart(1);
            ferry = ferry();
            committed = point.decided();
        } else {
            brokers[victim].kill9();
            ferry.send("go on");
            brokers[victim] = BrokerProcess.start(files[victim]);
            committed = ferry.await("ended").equals("committed");
        }
        assertThat(ferry.ask("recover", "recovered")).isEqualTo("0 0 0");
        assertThat(ferry.ask("look", "found")).isEqualTo(committed ? ALL : NOTHING);
    }

    private void restart(int broker) {
        brokers[broker].kill9();
        brokers[broker] = BrokerProcess.start(files[broker]);
    }
}
