package io.metaq.tck.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.log.file.Storage;
import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.LogReader;
import io.metaq.tck.harness.StoredMessage;
import io.metaq.tck.harness.Wire;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The broker's clock jumps: ids stay unique, sends go on, nothing expires for it. The clock is given to the broker, since
 * what fakes the clock of a whole process breaks its timed waits.
 */
class MovedClockTest {
    private static final int SENT_EACH_TIME = 200;

    @TempDir
    Path directory;

    private final JumpingClock clock = new JumpingClock();
    private final Set<Long> ids = new HashSet<>();

    @Test
    void shouldGoOnWithUniqueIdsWhenTheClockJumps() throws Exception {
        var files = BrokerFiles.in(directory)
                .topic(
                        "test",
                        Map.of("deletePolicy", "delete,2h", "deleteWhen", "* * * * * ?", "unflushThreshold", "1"));
        var config = BrokerConfig.load(files.write());
        try (var broker = Broker.start(config, Storage.disk(), clock);
                var wire = Wire.connect(broker.port())) {
            for (int minutes : new int[] {0, -60, 60, -120, 0}) {
                clock.moveTo(minutes);
                send(wire);
            }
            assertThat(LogReader.read(wire, "test", 0, 0)).hasSize(ids.size());
        }
        clock.moveTo(-24 * 60);
        try (var broker = Broker.start(config, Storage.disk(), clock);
                var wire = Wire.connect(broker.port())) {
            send(wire);
            assertThat(LogReader.read(wire, "test", 0, 0)).hasSize(ids.size());
        }
    }

    private void send(Wire wire) throws Exception {
        byte[] body = "tick".getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < SENT_EACH_TIME; i++) {
            var reply = wire.ask("put test 0 4 0 %d".formatted(StoredMessage.checksum(body)), body);
            assertThat(reply.ok()).as(reply.text()).isTrue();
            long id = Long.parseLong(reply.text().split(" ")[0]);
            assertThat(id).isNotNegative();
            assertThat(ids.add(id)).as("id %d is new", id).isTrue();
        }
    }

    /** Runs, at a distance in minutes from the true time. */
    private static final class JumpingClock extends Clock {
        private volatile Duration distance = Duration.ZERO;

        void moveTo(int minutes) {
            distance = Duration.ofMinutes(minutes);
        }

        @Override
        public Instant instant() {
            return Clock.systemUTC().instant().plus(distance);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
