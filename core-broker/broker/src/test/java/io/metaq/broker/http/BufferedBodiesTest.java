package io.metaq.broker.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.broker.config.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bodies of all requests together have a limit, and what a request had of it is free when the request is over, however it ends. */
class BufferedBodiesTest {
    private static final int LIMIT = 64 << 10;
    private static final int BODY_BYTES = 8 << 10;
    private static final int FIT = LIMIT / BODY_BYTES;
    private static final String HEAD =
            "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n";

    /** A request without the last byte of its body. */
    private static final String UNFINISHED =
            HEAD.formatted("/v1/topics/t/messages", "text/plain", BODY_BYTES) + "x".repeat(BODY_BYTES - 1);

    @TempDir
    private Path dir;

    private HttpBroker broker;
    private final List<RawConnection> connections = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        broker = new HttpBroker(
                dir,
                config -> config.set(Settings.MAX_IN_FLIGHT_BYTES, (long) LIMIT)
                        .set(Settings.MAX_MESSAGE_SIZE, LIMIT / 2)
                        .set(Settings.ADMIN_MAX_BODY_SIZE, LIMIT / 2));
    }

    @AfterEach
    void stop() throws IOException {
        hangUp();
        broker.close();
    }

    private void hangUp() throws IOException {
        for (RawConnection connection : connections) {
            connection.close();
        }
        connections.clear();
    }

    private RawConnection send(String bytes) throws IOException {
        RawConnection connection = new RawConnection(broker.port());
        connections.add(connection);
        return connection.send(bytes);
    }

    private List<RawConnection> unfinished(int count) throws IOException {
        List<RawConnection> requests = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            requests.add(send(UNFINISHED));
        }
        return requests;
    }

    /** As many bodies as fit are taken at the same time. */
    private void allIsFree() throws IOException {
        try {
            List<RawConnection> requests = unfinished(FIT);
            for (RawConnection request : requests) {
                request.send("x");
            }
            for (RawConnection request : requests) {
                assertThat(request.answer()).startsWith("HTTP/1.1 200 ");
            }
        } finally {
            hangUp();
        }
    }

    private static List<RawConnection> answered(List<RawConnection> requests) throws IOException {
        List<RawConnection> answered = new ArrayList<>();
        for (RawConnection request : requests) {
            if (request.answered()) {
                answered.add(request);
            }
        }
        return answered;
    }

    @Test
    void shouldRefuseWhatIsBeyondTheLimitAndServeTheRest() throws Exception {
        List<RawConnection> requests = unfinished(3 * FIT);
        await().until(() -> answered(requests).size() >= 2 * FIT);
        List<RawConnection> refused = answered(requests);
        for (RawConnection request : refused) {
            assertThat(request.answer()).startsWith("HTTP/1.1 503 ").containsIgnoringCase("\r\nretry-after: 1\r\n");
        }
        requests.removeAll(refused);
        for (RawConnection request : requests) {
            assertThat(request.send("x").answer()).startsWith("HTTP/1.1 200 ");
        }
        allIsFree();
    }

    @Test
    void shouldFreeTheBytesOfClientsThatBreakOffInABody() throws Exception {
        for (int i = 0; i < 5 * FIT; i++) {
            RawConnection request = send(UNFINISHED);
            if (i % 2 == 0) {
                request.reset();
            } else {
                request.close();
            }
        }
        await().untilAsserted(this::allIsFree);
    }

    @Test
    void shouldFreeTheBytesOfClientsThatLeaveBeforeTheyAreAnswered() throws Exception {
        String message = "{\"body\":\"" + "x".repeat(BODY_BYTES / 2) + "\",\"partition\":%d}";
        String batch = "{\"messages\":[" + message.formatted(0) + "," + message.formatted(1) + "]}";
        for (int i = 0; i < 5 * FIT; i++) {
            // The topic comes into being by the first message: the second one has to wait for that.
            String head = HEAD.formatted("/v1/topics/auto." + i + "/messages", "application/json", batch.length());
            send(head + batch).close();
        }
        await().untilAsserted(this::allIsFree);
    }
}
