package io.metaq.broker.http;

import static io.metaq.broker.http.HttpBroker.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublishAndReadTest {
    private static final String MESSAGES = "/v1/topics/t/messages";
    private static final String READ = "/v1/topics/t/partitions/0/messages";

    @TempDir
    private Path dir;

    private HttpBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = new HttpBroker(dir);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void shouldPublishATextAsItIs() throws Exception {
        JsonNode answer = json(200, broker.post(MESSAGES, "text/plain; charset=utf-8", "grüß 𝄞"));
        JsonNode stored = answer.get("messages").get(0);
        assertThat(stored.get("partition").intValue()).isZero();
        assertThat(stored.get("offset").longValue()).isZero();

        JsonNode page = json(200, broker.get(READ));
        JsonNode message = page.get("messages").get(0);
        assertThat(message.get("type").textValue()).isEqualTo("text");
        assertThat(message.get("body").textValue()).isEqualTo("grüß 𝄞");
        assertThat(message.get("id")).isEqualTo(stored.get("id"));
        assertThat(message.get("nextOffset")).isEqualTo(page.get("nextOffset"));
    }
}
