package io.metaq.broker.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members of a consumer group that go from one connection to another. */
class MovingMemberTest {
    private static final int MOVES = 150;

    @TempDir
    private Path dir;

    /** A client that reconnects joins again while the broker is still busy with the end of its old connection. */
    @Test
    @Timeout(120)
    void shouldStayInTheGroupWhenTheConnectionBeforeEndsLate() throws Exception {
        try (TestBroker broker = new TestBroker(dir)) {
            Wire observer = broker.wire();
            observer.ask("topic create t OPQ");
            Wire last = joined(broker);
            for (int i = 0; i < MOVES; i++) {
                Wire next = broker.connect();
                last.close();
                join(next);
                last = next;
                awaitConnections(observer, 2);
                assertThat(observer.ask("group describe g OPQ"))
                        .as("after move %d", i)
                        .contains("member m");
            }
        }
    }

    private static Wire joined(TestBroker broker) {
        Wire wire = broker.connect();
        join(wire);
        return wire;
    }

    private static void join(Wire wire) {
        assertThat(wire.ask("group join g OPQ member=m topics=t"))
                .startsWith("200")
                .contains("assign t 0");
    }

    /** The broker has taken note of the end of all others. */
    private static void awaitConnections(Wire observer, int count) {
        while (!observer.ask("stats  OPQ").contains("curr_connections " + count + "\r\n")) {
            Thread.onSpinWait();
        }
    }
}
