package io.metaq.tck.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.metaq.tck.harness.BrokerFiles;
import jakarta.jms.JMSException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Random use of JMS: a minute of it here, as long as wanted by {@code tck-tests/run chaos-jms}. */
class ChaosTest {
    private static final long SHORT_SECONDS = 50;
    private static final long MINUTES = Long.getLong("tck.chaos.minutes", 0);
    private static final int LOAD = Integer.getInteger("tck.chaos.load", 1);

    @TempDir
    Path directory;

    @Test
    void shouldLoseNothingAndStallNowhereInRandomUse() throws JMSException {
        long seed = Long.getLong("tck.seed", System.nanoTime());
        System.out.println("chaos with seed " + seed);
        // Lost connections and refused messages are what it is about: thousands of them.
        ((Logger) LoggerFactory.getLogger("io.metaq")).setLevel(Level.ERROR);
        var files = BrokerFiles.in(directory).set("checkpointInterval", 5_000);
        try (var chaos = new Chaos(files, seed, LOAD)) {
            chaos.run(MINUTES > 0 ? TimeUnit.MINUTES.toMillis(MINUTES) : TimeUnit.SECONDS.toMillis(SHORT_SECONDS));
            assertThat(chaos.faults().list()).as("seed %d%n%s", seed, chaos).isEmpty();
        }
    }
}
