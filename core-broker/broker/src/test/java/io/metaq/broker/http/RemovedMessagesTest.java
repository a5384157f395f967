package io.metaq.broker.http;

import static io.metaq.broker.http.HttpBroker.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
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

    @TempDir
    private Path dir;

    private HttpBroker broker;
    private long oldest;

    @BeforeEach
    void removeTheOldestMessages() throws Exception {
        broker = new HttpBroker(
                dir, config -> config.topic("short", Map.of("maxSegmentSize", "65536", "deleteWhen", "* * * * * ?")));
        for (int i = 0; i < COUNT; i++) {
            json(200, broker.post("/v1/topics/short/messages", "text/plain", i + " ".repeat(8_000)));
        }
        HttpResponse<byte[]> changed = broker.send(broker.request("/v1/topics/short")
                .header("Content-Type", "application/json")
                .method("PATCH", BodyPublishers.ofString("{\"settings\":{\"retentionBytes\":131072}}")));
        assertThat(changed.statusCode()).isEqualTo(204);
        await().until(() -> first() > 0);
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
