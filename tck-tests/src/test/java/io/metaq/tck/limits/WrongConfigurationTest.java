package io.metaq.tck.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mistake in the configuration stops the start with one line. */
class WrongConfigurationTest {
    @TempDir
    Path directory;

    @Test
    void shouldNameTheKeyAndTheNearestRightOne() {
        assertRefused(BrokerFiles.in(directory).set("unflushTreshold", 1), "unflushTreshold", "unflushThreshold");
    }

    @Test
    void shouldSayWhatAValueShouldBe() {
        assertRefused(BrokerFiles.in(directory).set("brokerId", 5000), "brokerId", "1023");
    }

    /** Two brokers on one directory would destroy it. */
    @Test
    void shouldRefuseADirectoryThatIsInUse() {
        var files = BrokerFiles.in(directory);
        try (var first = BrokerProcess.start(files)) {
            assertRefused(
                    BrokerFiles.in(directory.resolve("second"), files.data()),
                    files.data().toString());
            assertThat(first.isAlive()).isTrue();
        }
    }

    private static void assertRefused(BrokerFiles files, String... said) {
        try (var broker = BrokerProcess.launch(files, List.of())) {
            assertThat(broker.awaitExit()).isNotZero();
            assertThat(broker.output()).contains(said).doesNotContain("\tat ");
            assertThat(broker.output().lines().filter(line -> line.contains(said[0])))
                    .hasSize(1);
        }
    }
}
