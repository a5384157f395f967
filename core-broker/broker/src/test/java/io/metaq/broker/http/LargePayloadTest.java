package io.metaq.broker.http;

import static io.metaq.broker.http.HttpBroker.json;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.metaq.broker.config.Settings;
import io.metaq.message.BodyKind;
import io.metaq.message.HeaderField;
import io.metaq.message.LargePayload;
import io.metaq.message.PropertyBlockWriter;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Payloads that another client stored in chunks. */
class LargePayloadTest {
    private static final String READ = "/v1/topics/t/partitions/0/messages";

    @TempDir
    private Path dir;

    @Test
    void shouldPutChunksTogetherAndSayWhatIsLost() throws Exception {
        byte[] text = "grüße ".repeat(300_000).getBytes(StandardCharsets.UTF_8);
        try (HttpBroker broker =
                new HttpBroker(dir, config -> config.topic("t.large", 1).set(Settings.ADMIN_MAX_BODY_SIZE, 8 << 20))) {
            ByteBuffer offsets = ByteBuffer.allocate(3 * Long.BYTES);
            for (int from = 0; from < text.length; from += LargePayload.CHUNK_BYTES) {
                byte[] chunk = Arrays.copyOfRange(text, from, Math.min(text.length, from + LargePayload.CHUNK_BYTES));
                offsets.putLong(json(200, broker.post("/v1/topics/t.large/messages", "application/octet-stream", chunk))
                        .at("/messages/0/offset")
                        .longValue());
            }
            put(broker, text.length, offsets.array());
            put(broker, text.length, new byte[] {0, 0, 0, 0, 0, 0, 0, 7});
            put(broker, 9L << 20, offsets.array());

            JsonNode first = json(200, broker.get(READ + "?max=1"));
            assertThat(first.at("/messages/0/body").textValue()).isEqualTo(new String(text, StandardCharsets.UTF_8));
            HttpResponse<byte[]> raw = broker.get(READ + "/0");
            assertThat(raw.body()).isEqualTo(text);
            assertThat(raw.headers().firstValue("content-type")).hasValue("text/plain; charset=utf-8");

            JsonNode lost = json(200, broker.get(READ + "?max=1&offset=" + first.get("nextOffset")));
            assertThat(lost.at("/messages/0/large/lost").booleanValue()).isTrue();
            assertThat(lost.at("/messages/0/body").isNull()).isTrue();
            JsonNode gone = json(410, broker.get(READ + "/" + first.get("nextOffset")));
            assertThat(gone.get("nextOffset")).isEqualTo(lost.get("nextOffset"));

            JsonNode beyond = json(200, broker.get(READ + "?offset=" + lost.get("nextOffset")));
            assertThat(beyond.at("/messages/0/large/lost").booleanValue()).isFalse();
            assertThat(beyond.at("/messages/0/large/length").longValue()).isEqualTo(9L << 20);
        }
    }

    private static void put(HttpBroker broker, long length, byte[] offsets) throws Exception {
        PropertyBlockWriter block = new PropertyBlockWriter()
                .header(HeaderField.BODY_KIND, BodyKind.TEXT.number())
                .header(HeaderField.LARGE_TOPIC, "t.large")
                .header(HeaderField.LARGE_PARTITION, 0)
                .header(HeaderField.LARGE_OFFSET, 0L)
                .header(HeaderField.LARGE_LENGTH, length);
        byte[] body = block.join(ByteBuffer.wrap(offsets));
        try (Socket socket = new Socket("127.0.0.1", broker.broker().port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write(("put t 0 " + body.length + " " + block.flags() + " 1\r\n").getBytes(US_ASCII));
            socket.getOutputStream().write(body);
            assertThat(new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII)).readLine())
                    .startsWith("result 200 ");
        }
    }
}
