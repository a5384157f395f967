package io.metaq.broker.http;

import static io.metaq.broker.http.HttpBroker.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.metaq.broker.config.Settings;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads that wait for messages that are not there yet. */
class WaitingReadTest {
    private static final String MESSAGES = "/v1/topics/t/messages";
    private static final String READ = "/v1/topics/t/partitions/0/messages";
    private static final int HOUR_MS = 3_600_000;
    private static final String WAIT_AN_HOUR =
            "GET " + READ + "?wait=" + HOUR_MS + " HTTP/1.1\r\nHost: localhost\r\n\r\n";

    @TempDir
    private Path dir;

    private static long figure(HttpBroker broker, String name) throws Exception {
        return json(200, broker.get("/v1/stats")).at("/broker/" + name).longValue();
    }

    @Test
    void shouldAnswerWhenAMessageComes() throws Exception {
        try (HttpBroker broker = new HttpBroker(dir, config -> config.set(Settings.MAX_GET_WAIT, HOUR_MS));
                RawConnection waiting = new RawConnection(broker.port())) {
            waiting.send(WAIT_AN_HOUR);
            await().until(() -> figure(broker, "cmd_get") == 1);
            assertThat(waiting.answered()).isFalse();
            broker.post(MESSAGES, "text/plain", "late");
            assertThat(waiting.answer()).startsWith("HTTP/1.1 200 ").contains("\"body\":\"late\"");
        }
    }

    @Test
    void shouldAnswerAnEmptyPageWhenTheTimeIsOver() throws Exception {
        try (HttpBroker broker = new HttpBroker(dir, config -> config.set(Settings.MAX_GET_WAIT, 200))) {
            long end = json(200, broker.post(MESSAGES, "application/octet-stream", "early"))
                            .at("/messages/0/offset")
                            .longValue()
                    + 25;
            JsonNode page = json(200, broker.get(READ + "?offset=last&wait=" + HOUR_MS));
            assertThat(page.get("messages")).isEmpty();
            assertThat(page.get("nextOffset").longValue()).isEqualTo(end);
            assertThat(figure(broker, "get_miss")).isOne();
        }
    }

    @Test
    void shouldForgetTheReadOfAClientThatHasGone() throws Exception {
        // One thread, on which the waits end in the order in which they began.
        try (HttpBroker broker = new HttpBroker(
                dir, config -> config.set(Settings.MAX_GET_WAIT, 1_000).set(Settings.IO_THREADS, 1))) {
            long connections = figure(broker, "curr_connections");
            try (RawConnection waiting = new RawConnection(broker.port())) {
                waiting.send(WAIT_AN_HOUR);
                await().until(() -> figure(broker, "cmd_get") == 1);
            }
            await().until(() -> figure(broker, "curr_connections") == connections);
            long misses = figure(broker, "get_miss");
            json(200, broker.get(READ + "?wait=" + HOUR_MS));
            assertThat(figure(broker, "get_miss")).isEqualTo(misses + 1);
        }
    }

    @Test
    void shouldNoticeThatAClientHasGoneLongBeforeItsTimeIsOver() throws Exception {
        try (HttpBroker broker = new HttpBroker(
                dir, config -> config.set(Settings.MAX_GET_WAIT, HOUR_MS).set(Settings.ADMIN_MAX_CONNECTIONS, 5))) {
            for (int i = 0; i < 5; i++) {
                RawConnection waiting = new RawConnection(broker.port()).send(WAIT_AN_HOUR);
                int asked = i + 1;
                await().until(() -> figure(broker, "cmd_get") == asked);
                waiting.close();
            }
            await().until(() -> figure(broker, "curr_connections") == 1);
        }
    }

    @Test
    void shouldStreamLinesAsTheyComeUntilNoneCameForTheTime() throws Exception {
        try (HttpBroker broker = new HttpBroker(dir, config -> config.set(Settings.ADMIN_REQUEST_TIMEOUT, 1_000))) {
            broker.post(MESSAGES, "text/plain", "first");
            try (Stream<String> stream = broker.lines(READ + "?wait=8000")) {
                Iterator<String> lines = stream.iterator();
                assertThat(lines.next()).contains("\"body\":\"first\"");
                broker.post(MESSAGES, "text/plain", "second");
                assertThat(lines.next()).contains("\"body\":\"second\"");
                assertThat(lines.hasNext())
                        .as("ended as it should, not broken off")
                        .isFalse();
            }
        }
    }
}
