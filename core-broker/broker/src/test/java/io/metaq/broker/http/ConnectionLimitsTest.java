package io.metaq.broker.http;

import static io.metaq.broker.http.HttpBroker.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.metaq.broker.config.Settings;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many connections are served, from where, and how long. */
class ConnectionLimitsTest {
    private static final String HOST = " HTTP/1.1\r\nHost: localhost\r\n";
    private static final String HEALTH = "GET /health" + HOST + "\r\n";
    private static final String MESSAGES = "/v1/topics/t/messages";
    private static final String READ = "/v1/topics/t/partitions/0/messages";

    @TempDir
    private Path dir;

    @Test
    void shouldRefuseTheConnectionBeyondTheLimitUntilAnotherIsClosed() throws Exception {
        try (HttpBroker broker = new HttpBroker(dir, config -> config.set(Settings.ADMIN_MAX_CONNECTIONS, 2));
                RawConnection first = new RawConnection(broker.port());
                RawConnection second = new RawConnection(broker.port())) {
            assertThat(first.send(HEALTH).answer()).startsWith("HTTP/1.1 200 ");
            assertThat(second.send(HEALTH).answer()).startsWith("HTTP/1.1 200 ");
            try (RawConnection third = new RawConnection(broker.port())) {
                assertThat(third.rest()).startsWith("HTTP/1.1 503 ").containsIgnoringCase("\r\nretry-after: 1\r\n");
            }
            assertThat(second.send(HEALTH).answer()).startsWith("HTTP/1.1 200 ");
            first.close();
            await().untilAsserted(() -> json(200, broker.get("/health")));
        }
    }

    @Test
    void shouldTellTheRefusalAlsoToWhoIsStillSending() throws Exception {
        try (HttpBroker broker = new HttpBroker(dir, config -> config.set(Settings.ADMIN_MAX_CONNECTIONS, 1));
                RawConnection only = new RawConnection(broker.port())) {
            assertThat(only.send(HEALTH).answer()).startsWith("HTTP/1.1 200 ");
            for (int i = 0; i < 10; i++) {
                assertThat(broker.post(MESSAGES, "application/octet-stream", new byte[1 << 20])
                                .statusCode())
                        .isEqualTo(503);
            }
        }
    }

    @Test
    void shouldCloseConnectionsThatAskNothingButNotThoseThatWait() throws Exception {
        try (HttpBroker broker = new HttpBroker(dir, config -> config.set(Settings.CONNECTION_IDLE_TIMEOUT, 500))) {
            try (RawConnection silent = new RawConnection(broker.port())) {
                assertThat(silent.rest()).isEmpty();
            }
            // More than once only where a busy machine looks at the request when the time is over.
            await().ignoreExceptions().untilAsserted(() -> {
                try (RawConnection waiting = new RawConnection(broker.port())) {
                    waiting.send("GET " + READ + "?wait=1200" + HOST + "\r\n");
                    assertThat(waiting.answer()).startsWith("HTTP/1.1 200 ");
                    assertThat(waiting.rest()).isEmpty();
                }
            });
        }
    }

    @Test
    void shouldEndAConnectionThatDoesNotTakeItsAnswer() throws Exception {
        try (HttpBroker broker = new HttpBroker(dir, config -> config.set(Settings.ADMIN_REQUEST_TIMEOUT, 2_000));
                RawConnection stuck = new RawConnection(broker.port())) {
            publishMegabytes(32, broker);
            stuck.send("GET " + READ + HOST + "Accept: application/x-ndjson\r\n\r\n");
            await().until(stuck::answered);
            await().until(() -> connections(broker) == 1);
        }
    }

    @Test
    void shouldGiveAnAnswerToWhoTakesItSlowly() throws Exception {
        try (HttpBroker broker = new HttpBroker(
                        dir,
                        config -> config.set(Settings.ADMIN_REQUEST_TIMEOUT, 3_000)
                                .set(Settings.MAX_TRANSFER_SIZE, 32 << 20));
                RawConnection slow = new RawConnection(broker.port())) {
            publishMegabytes(15, broker);
            slow.send("GET " + READ + HOST + "Connection: close\r\n\r\n");
            long taken = 0;
            for (int piece = slow.take(64 << 10); piece > 0; piece = slow.take(64 << 10)) {
                taken += piece;
                // Time for the next piece, taken by the broker itself.
                json(200, broker.get("/v1/topics/four/partitions/0/messages?wait=30"));
            }
            assertThat(taken).isGreaterThan(15 << 20);
        }
    }

    private static void publishMegabytes(int count, HttpBroker broker) throws Exception {
        for (int i = 0; i < count; i++) {
            json(200, broker.post(MESSAGES, "application/octet-stream", new byte[1 << 20]));
        }
    }

    private static long connections(HttpBroker broker) throws Exception {
        return json(200, broker.get("/v1/stats")).at("/broker/curr_connections").longValue();
    }

    @Test
    void shouldEndARequestThatStopsBehindAWholeOne() throws Exception {
        try (HttpBroker broker = new HttpBroker(dir, config -> config.set(Settings.ADMIN_REQUEST_TIMEOUT, 500));
                RawConnection pipelining = new RawConnection(broker.port())) {
            pipelining.send(
                    HEALTH + "POST " + MESSAGES + HOST + "Content-Type: text/plain\r\nContent-Length: 10\r\n\r\nhalf");
            assertThat(pipelining.answer()).startsWith("HTTP/1.1 200 ");
            assertThat(pipelining.rest()).startsWith("HTTP/1.1 408 ");
        }
    }

    @Test
    void shouldListenOnTheLoopbackAloneUntilToldOtherwise(@TempDir Path other) throws Exception {
        InetAddress outer = outerAddress();
        try (HttpBroker broker = new HttpBroker(dir, config -> config.set(Settings.BIND_ADDRESS, "0.0.0.0"))) {
            new Socket(outer, broker.broker().port()).close();
            int port = broker.port();
            assertThatThrownBy(() -> new Socket(outer, port).close()).isInstanceOf(ConnectException.class);
        }
        try (HttpBroker broker = new HttpBroker(other, config -> config.set(Settings.ADMIN_HOST, "0.0.0.0"))) {
            new Socket(outer, broker.port()).close();
        }
    }

    private static InetAddress outerAddress() throws Exception {
        List<InetAddress> outer = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address.getAddress().length == 4 && !address.isLoopbackAddress())
                .toList();
        Assumptions.assumeFalse(outer.isEmpty(), "this machine has no address but the loopback");
        return outer.get(0);
    }
}
