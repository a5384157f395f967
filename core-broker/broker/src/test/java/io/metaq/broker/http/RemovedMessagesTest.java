package io.metaq.broker.http;

import static io.metaq.broker.http.HttpBroker.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who asks for what retention has removed is told so, and where to go on. */
class RemovedMessagesTest {
    private static final String READ = "/v1/topics/short/partitions/0/messages";
    private static final int COUNT = 50;
    private static final int SEGMENT = 65_536;
    private static final int KEPT = 131_072;
    private static final int BODY = 8_000;

    @TempDir
    private Path dir;

    private HttpBroker broker;
    private long oldest;

    @BeforeEach
    void removeTheOldestMessages() throws Exception {
        broker = new HttpBroker(
                dir,
                config -> config.topic(
                        "short", Map.of("maxSegmentSize", Integer.toString(SEGMENT), "deleteWhen", "* * * * * ?")));
        long last = 0;
        for (int i = 0; i < COUNT; i++) {
            String body = i + " ".repeat(BODY);
            last = json(200, broker.post("/v1/topics/short/messages", "text/plain", body))
                    .at("/messages/0/offset")
                    .longValue();
        }
        HttpResponse<byte[]> changed = broker.send(broker.request("/v1/topics/short")
                .header("Content-Type", "application/json")
                .method("PATCH", BodyPublishers.ofString("{\"settings\":{\"retentionBytes\":" + KEPT + "}}")));
        assertThat(changed.statusCode()).isEqualTo(204);
        // Several segments go, one after the other; then nothing goes any more.
        long least = last - (KEPT + SEGMENT - 2 * BODY);
        await().atMost(Duration.ofSeconds(60)).until(() -> first() > least);
        oldest = first();
    }

    private long first() throws Exception {
        return json(200, broker.get(READ + "?max=1")).at("/messages/0/offset").longValue();
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private void gone(HttpResponse<byte[]> response) throws Exception {
        JsonNode failure = json(410, response);
        assertThat(failure.get("nextOffset").longValue()).isEqualTo(oldest);
        assertThat(failure.get("name").textValue()).isEqualTo("MOVED");
        assertThat(failure.get("message").textValue()).contains(Long.toString(oldest));
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "application/x-ndjson", "application/octet-stream"})
    void shouldSayInWhateverFormThatIsAskedForWhereToGoOn(String form) throws Exception {
        gone(broker.get(READ + "?offset=0", "Accept", form));
        gone(broker.get(READ + "?offset=0&wait=60000", "Accept", form));
    }

    @Test
    void shouldSayWhereToGoOnAlsoToWhoAsksForOneMessage() throws Exception {
        gone(broker.get(READ + "/0"));
        gone(broker.get(READ + "/0", "Accept", "application/json"));
    }

    @Test
    void shouldReadOnFromThere() throws Exception {
        long next = json(410, broker.get(READ + "?offset=0")).get("nextOffset").longValue();
        List<String> lines;
        try (Stream<String> stream = broker.lines(READ + "?offset=" + next)) {
            lines = stream.toList();
        }
        assertThat(lines.size()).isBetween(1, COUNT - 1);
        int number = COUNT - lines.size();
        for (String line : lines) {
            JsonNode message = json(line);
            assertThat(message.get("offset").longValue()).isEqualTo(next);
            assertThat(message.get("body").textValue().strip()).isEqualTo(Integer.toString(number));
            next = message.get("nextOffset").longValue();
            number++;
        }
    }
}
