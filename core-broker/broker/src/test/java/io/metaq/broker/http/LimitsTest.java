package io.metaq.broker.http;

import static io.metaq.broker.http.HttpBroker.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.metaq.broker.config.Settings;
import io.metaq.testkit.storage.SimulatedStorage;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How much a request may bring and ask for, and what becomes of messages that there is no room for. */
class LimitsTest {
    private static final String MESSAGES = "/v1/topics/t/messages";
    private static final String READ = "/v1/topics/t/partitions/0/messages";
    private static final int MOST = 10_000;
    private static final long DISK_BYTES = 1L << 30;

    @TempDir
    private Path dir;

    private static String batch(int messages) {
        return "{'messages':[" + "{'body':''},".repeat(messages - 1) + "{'body':'last'}]}";
    }

    @Test
    void shouldTakeAndGiveTenThousandMessagesAtATimeAndNoMore() throws Exception {
        try (HttpBroker broker = new HttpBroker(dir)) {
            JsonNode refused = json(413, broker.postJson(MESSAGES, batch(MOST + 1)));
            assertThat(refused.get("message").textValue()).contains("10000");
            assertThat(broker.messages("t", 0)).isEmpty();

            json(200, broker.postJson(MESSAGES, batch(MOST)));
            json(200, broker.postJson(MESSAGES, batch(1)));
            JsonNode page = json(200, broker.get(READ + "?max=20000"));
            assertThat(page.get("messages")).hasSize(MOST);
            JsonNode rest = json(200, broker.get(READ + "?max=20000&offset=" + page.get("nextOffset")));
            assertThat(rest.get("messages")).hasSize(1);
        }
    }

    @Test
    void shouldTakeNoMessagesWhileTheDiskIsFullButGiveThem() throws Exception {
        SimulatedStorage disk = new SimulatedStorage();
        disk.faults().capacity(DISK_BYTES);
        try (HttpBroker broker = new HttpBroker(dir, disk, config -> config.set(Settings.DISK_WATERMARK_PERCENT, 10))) {
            json(200, broker.post(MESSAGES, "text/plain", "before"));
            disk.faults().capacity(disk.used());
            await().untilAsserted(() -> assertThat(takesMessages(broker)).isFalse());
            HttpResponse<byte[]> refused = broker.post(MESSAGES, "text/plain", "meanwhile");
            assertThat(json(507, refused).get("retriable").booleanValue()).isTrue();
            assertThat(refused.headers().firstValue("retry-after")).hasValue("1");
            assertThat(broker.messages("t", 0)).hasSize(1);

            disk.faults().capacity(DISK_BYTES);
            await().untilAsserted(() -> assertThat(takesMessages(broker)).isTrue());
            json(200, broker.post(MESSAGES, "text/plain", "after"));
            assertThat(broker.messages("t", 0)).hasSize(2);
        }
    }

    private static boolean takesMessages(HttpBroker broker) throws Exception {
        return json(200, broker.get("/health")).get("takesMessages").booleanValue();
    }
}
