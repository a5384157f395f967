package io.metaq.broker.http;

import static io.metaq.broker.http.HttpBroker.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.zip.CRC32;
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

    @Test
    void shouldGiveBackEveryTypeAndEveryValueAsItWasPublished() throws Exception {
        String document = """
            {'messages': [
              {'type': 'text', 'body': 'ä\\u0000\\ud834\\udd1e'},
              {'type': 'text', 'body': null},
              {'type': 'bytes', 'body': 'AP8='},
              {'type': 'none'},
              {'type': 'object', 'body': 'rO0ABXA='},
              {'body': {'b': true, 'l': 9007199254740992, 's': 'x', 'd': 1.5, 'n': null,
                'i': {'type': 'int', 'value': -5}, 'by': {'type': 'byte', 'value': -128},
                'sh': {'type': 'short', 'value': 7}, 'f': {'type': 'float', 'value': 0.1},
                'c': {'type': 'char', 'value': 'é'}, 'half': {'type': 'char', 'value': 55296},
                'bs': {'type': 'bytes', 'value': 'AQI='},
                'big': {'type': 'long', 'value': '9223372036854775807'},
                'nan': {'type': 'double', 'value': 'NaN'}, 'inf': {'type': 'float', 'value': '-Infinity'}}},
              {'body': [1, 'two', {'type': 'short', 'value': 3}, null]},
              {'body': 'all', 'attribute': '', 'flag': 256, 'headers': {'priority': 9, 'persistent': false,
                'correlationId': {'type': 'bytes', 'value': 'AQ=='}, 'replyTo': 'queue://r', 'type': 'T',
                'groupId': 'g', 'groupSeq': 3, 'userId': 'u', 'timestamp': 5, 'expiration': 9999999999999,
                'deliveryTime': 7, 'messageId': 'ID:mine', 'destination': 'topic://x', 'origin': 'o'},
               'properties': {'color': 'blue', 'n': {'type': 'int', 'value': 5}, 'flag': false}}
            ]}\
            """;
        JsonNode answer = json(200, broker.postJson(MESSAGES, document));
        assertThat(answer.get("messages")).hasSize(8);
        List<JsonNode> read = broker.messages("t", 0);

        JsonNode sent = json(document).get("messages");
        for (int i = 0; i < sent.size(); i++) {
            JsonNode message = read.get(i);
            sent.get(i).properties().forEach(field -> {
                if (field.getKey().equals("headers")) {
                    field.getValue()
                            .properties()
                            .forEach(header -> assertThat(message.get("headers").get(header.getKey()))
                                    .isEqualTo(header.getValue()));
                } else {
                    assertThat(message.get(field.getKey())).as(field.getKey()).isEqualTo(field.getValue());
                }
            });
            assertThat(message.get("offset"))
                    .isEqualTo(answer.get("messages").get(i).get("offset"));
            assertThat(message.get("id"))
                    .isEqualTo(answer.get("messages").get(i).get("id"));
        }
        assertThat(read.get(1).get("body").isNull()).isTrue();
        assertThat(read.get(1).get("type").textValue()).isEqualTo("text");

        // What was read can be published as it is.
        json(200, broker.postJson(MESSAGES, "{'messages': " + read.toString().replace('\'', ' ') + "}"));
        List<JsonNode> again = broker.messages("t", 0);
        for (int i = 0; i < 8; i++) {
            JsonNode first = ((ObjectNode) again.get(i)).remove(List.of("id", "offset", "nextOffset"));
            JsonNode second = ((ObjectNode) again.get(8 + i)).remove(List.of("id", "offset", "nextOffset"));
            if (!first.get("headers").has("timestamp")) {
                assertThat(first.get("type").textValue()).isEqualTo("bytes");
            }
            assertThat(second.get("body")).isEqualTo(first.get("body"));
            assertThat(second.get("properties")).isEqualTo(first.get("properties"));
            assertThat(second.get("type")).isEqualTo(first.get("type"));
        }
    }

    @Test
    void shouldTakeParametersAndHeadersForABodyThatIsTheMessage() throws Exception {
        String parameters =
                "?priority=7&correlationId=c%20d&property.color=bl%C3%BCe&key=k&attribute=a&ttl=100000&persistent=false";
        HttpResponse<byte[]> sent = broker.send(broker.request(MESSAGES + parameters)
                .header("Content-Type", "application/octet-stream")
                .header("Metaq-Properties", "{\"size\": {\"type\": \"int\", \"value\": 5}}")
                .header("Metaq-Headers", "{\"groupSeq\": 4}")
                .POST(BodyPublishers.ofByteArray(new byte[] {0, 1, -1})));
        json(200, sent);

        JsonNode message = broker.messages("t", 0).get(0);
        assertThat(message.get("type").textValue()).isEqualTo("bytes");
        assertThat(message.get("body").binaryValue()).containsExactly(0, 1, -1);
        assertThat(message.get("attribute").textValue()).isEqualTo("a");
        assertThat(message.get("properties")).isEqualTo(json("{'size': {'type': 'int', 'value': 5}, 'color': 'blüe'}"));
        JsonNode headers = message.get("headers");
        assertThat(headers.get("priority").intValue()).isEqualTo(7);
        assertThat(headers.get("persistent").booleanValue()).isFalse();
        assertThat(headers.get("correlationId").textValue()).isEqualTo("c d");
        assertThat(headers.get("groupSeq").intValue()).isEqualTo(4);
        assertThat(headers.get("expiration").longValue()
                        - headers.get("timestamp").longValue())
                .isEqualTo(100_000);

        HttpResponse<byte[]> payload = broker.get(READ + "/0");
        assertThat(payload.statusCode()).isEqualTo(200);
        assertThat(payload.body()).containsExactly(0, 1, -1);
        assertThat(payload.headers().firstValue("content-type")).hasValue("application/octet-stream");
        assertThat(payload.headers().firstValue("metaq-properties"))
                .hasValue("{\"size\":{\"type\":\"int\",\"value\":5},\"color\":\"bl\\u00FCe\"}");
        assertThat(payload.headers().firstValue("metaq-next-offset"))
                .hasValue(message.get("nextOffset").asText());
    }

    @Test
    void shouldStoreBytesWithoutMoreAsNothingButBytes() throws Exception {
        broker.post(MESSAGES, "application/octet-stream", "hello");
        HttpResponse<byte[]> stored = broker.get(READ, "Accept", "application/octet-stream");
        assertThat(stored.statusCode()).isEqualTo(200);
        assertThat(stored.body()).hasSize(25).endsWith('h', 'e', 'l', 'l', 'o');
        assertThat(stored.headers().firstValue("metaq-next-offset")).hasValue("25");
        assertThat(stored.headers().firstValue("content-type")).hasValue("application/octet-stream");
    }

    @Test
    void shouldKeepATypeOfContentThatItHasNoKindFor() throws Exception {
        json(200, broker.post(MESSAGES, "image/png", new byte[] {1, 2}));
        HttpResponse<byte[]> payload = broker.get(READ + "/0");
        assertThat(payload.headers().firstValue("content-type")).hasValue("image/png");
        assertThat(payload.headers().firstValue("content-security-policy"))
                .hasValueSatisfying(policy -> assertThat(policy).contains("sandbox"));
        json(415, broker.post(MESSAGES, "application/x-www-form-urlencoded", "hello"));
        json(415, broker.post(MESSAGES, "text/plain; charset=utf-16", "hello"));
        json(400, broker.post(MESSAGES, "text/plain", new byte[] {(byte) 0xC3}));
    }

    @Test
    void shouldPutAKeyWhereClientsPutIt() throws Exception {
        int[] expected = new int[20];
        StringBuilder document = new StringBuilder("{'messages':[");
        for (int i = 0; i < 20; i++) {
            document.append(i == 0 ? "" : ",")
                    .append("{'body':'")
                    .append(i)
                    .append("','key':'schlüssel")
                    .append(i)
                    .append("'}");
            CRC32 crc = new CRC32();
            crc.update(("schlüssel" + i).getBytes(StandardCharsets.UTF_8));
            expected[i] = (int) (crc.getValue() % 4);
        }
        JsonNode answer = json(200, broker.postJson("/v1/topics/four/messages", document + "]}"));
        for (int i = 0; i < 20; i++) {
            assertThat(answer.get("messages").get(i).get("partition").intValue())
                    .isEqualTo(expected[i]);
        }
        for (int partition = 0; partition < 4; partition++) {
            for (JsonNode message : broker.messages("four", partition)) {
                int number = Integer.parseInt(message.get("body").textValue());
                assertThat(expected[number]).isEqualTo(partition);
                JsonNode place = answer.get("messages").get(number);
                assertThat(message.get("offset")).isEqualTo(place.get("offset"));
                assertThat(message.get("id")).isEqualTo(place.get("id"));
            }
        }
    }

    @Test
    void shouldKnowABatchThatComesAgain() throws Exception {
        String batch = "{'producer': '77', 'seq': 5, 'messages': [{'body': 'a', 'partition': 1},"
                + " {'body': 'b', 'partition': 2}, {'body': 'c', 'partition': 1}]}";
        JsonNode first = json(200, broker.postJson("/v1/topics/four/messages", batch));
        JsonNode second = json(200, broker.postJson("/v1/topics/four/messages", batch));
        assertThat(second).isEqualTo(first);
        assertThat(broker.messages("four", 1)).hasSize(2);
        assertThat(broker.messages("four", 2)).hasSize(1);
        JsonNode past = json(
                409,
                broker.postJson("/v1/topics/four/messages", "{'producer': 77, 'seq': 1, 'messages': [{'body': 'x'}]}"));
        assertThat(past.get("name").textValue()).isEqualTo("CONFLICT");
    }

    @Test
    void shouldSayOfEachMessageWhereItIsWhenOnePartitionIsClosed() throws Exception {
        try (Socket text = new Socket("127.0.0.1", broker.broker().port())) {
            text.getOutputStream()
                    .write("topic close four 1 partition=2 for=publish\r\n".getBytes(StandardCharsets.UTF_8));
            assertThat(text.getInputStream().read()).isEqualTo('r');
        }
        JsonNode answer = json(
                403,
                broker.postJson(
                        "/v1/topics/four/messages",
                        "{'messages': [{'body': 'a', 'partition': 1}, {'body': 'b', 'partition': 2}]}"));
        assertThat(answer.get("retriable").booleanValue()).isFalse();
        assertThat(answer.get("messages").get(0).get("offset").longValue()).isZero();
        assertThat(answer.get("messages").get(1).get("error").get("name").textValue())
                .isEqualTo("FORBIDDEN");
        assertThat(broker.messages("four", 1)).hasSize(1);
    }

    @Test
    void shouldNeitherTakeNorGiveMessagesOfAClosedTopic() throws Exception {
        json(200, broker.post(MESSAGES, "text/plain", "a"));
        HttpResponse<byte[]> closed = broker.send(broker.request("/v1/topics/t")
                .header("Content-Type", "application/json")
                .method(
                        "PATCH",
                        BodyPublishers.ofString(
                                "{\"settings\": {\"acceptPublish\": false, \"acceptSubscribe\": false}}")));
        assertThat(closed.statusCode()).isEqualTo(204);
        json(403, broker.post(MESSAGES, "text/plain", "b"));
        json(403, broker.get(READ));
        json(403, broker.get(READ + "/0"));
    }

    @Test
    void shouldMakeTopicsThatMayBeMadeAndNoOthers() throws Exception {
        assertThat(json(200, broker.post("/v1/topics/auto.x/messages?key=k", "text/plain", "a"))
                        .get("messages")
                        .get(0)
                        .get("offset")
                        .longValue())
                .isZero();
        JsonNode missing = json(404, broker.post("/v1/topics/other/messages", "text/plain", "a"));
        assertThat(missing.get("message").textValue()).isEqualTo("there is no topic other");
        json(404, broker.post("/v1/topics/t/messages?partition=1", "text/plain", "a"));
        json(404, broker.get("/v1/topics/other/partitions/0/messages"));
        json(404, broker.get("/v1/topics/t/partitions/7/messages"));
    }

    @Test
    void shouldReadByPlaceByTimeAndInPages() throws Exception {
        for (int i = 0; i < 10; i++) {
            broker.post(MESSAGES, "text/plain", "m" + i);
        }
        JsonNode page = json(200, broker.get(READ + "?max=3"));
        assertThat(page.get("messages")).hasSize(3);
        JsonNode next =
                json(200, broker.get(READ + "?offset=" + page.get("nextOffset").longValue() + "&max=100&maxBytes=1"));
        assertThat(next.get("messages")).as("the first one whatever its size").hasSize(1);
        assertThat(next.get("messages").get(0).get("body").textValue()).isEqualTo("m3");
        assertThat(json(200, broker.get(READ + "?offset=last")).get("messages")).isEmpty();
        assertThat(json(200, broker.get(READ + "?offset=time:0")).get("messages"))
                .hasSize(10);
        assertThat(json(200, broker.get(READ + "?offset=time:99999999999999")).get("messages"))
                .isEmpty();
        long until = page.get("nextOffset").longValue();
        assertThat(json(200, broker.get(READ + "?until=" + until)).get("messages"))
                .hasSize(3);
        JsonNode behind = json(416, broker.get(READ + "?offset=100000"));
        assertThat(behind.get("endOffset").longValue())
                .isEqualTo(json(200, broker.get(READ + "?offset=last"))
                        .get("nextOffset")
                        .longValue());
        json(400, broker.get(READ + "?offset=7"));
        json(404, broker.get(READ + "/" + behind.get("endOffset").longValue()));
    }

    @Test
    void shouldWaitForWhatIsNotThereYet() throws Exception {
        CompletableFuture<HttpResponse<byte[]>> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return broker.get(READ + "?wait=60000");
            } catch (Exception e) {
                throw new CompletionException(e);
            }
        });
        broker.post(MESSAGES, "text/plain", "late");
        assertThat(json(200, waiting.join()).get("messages").get(0).get("body").textValue())
                .isEqualTo("late");
        assertThat(json(200, broker.get(READ + "?offset=last&wait=50")).get("messages"))
                .isEmpty();
    }

    @Test
    void shouldStreamLinesToTheEndHoweverManyThereAre() throws Exception {
        String text = "x".repeat(1_000);
        StringBuilder batch = new StringBuilder("{'messages':[");
        for (int i = 0; i < 3_000; i++) {
            batch.append(i == 0 ? "" : ",").append("{'body':'").append(text).append("'}");
        }
        json(200, broker.postJson(MESSAGES, batch + "]}"));
        HttpResponse<byte[]> lines = broker.get(READ, "Accept", "application/x-ndjson");
        assertThat(lines.headers().firstValue("content-type")).hasValue("application/x-ndjson");
        List<String> all = HttpBroker.text(lines).lines().toList();
        assertThat(all).hasSize(3_000);
        assertThat(json(all.get(2_999)).get("body").textValue()).isEqualTo(text);
        assertThat(HttpBroker.text(broker.get(READ + "?max=7", "Accept", "application/x-ndjson"))
                        .lines())
                .hasSize(7);
        json(406, broker.get(READ, "Accept", "text/html"));
    }

    @Test
    void shouldCarryTenMegabytesAndNone() throws Exception {
        String text = "ä€𝄞 ".repeat(1_000_000);
        json(200, broker.post(MESSAGES, "text/plain", text));
        json(200, broker.post(MESSAGES, "text/plain", ""));
        json(200, broker.postJson(MESSAGES, "{'messages':[{'body':'" + text + "'}, {'type':'bytes','body':''}]}"));
        JsonNode page = json(200, broker.get(READ));
        assertThat(page.get("messages").get(0).get("body").textValue()).isEqualTo(text);
        JsonNode rest =
                json(200, broker.get(READ + "?offset=" + page.get("nextOffset").longValue()));
        assertThat(rest.get("messages").get(0).get("body").textValue()).isEmpty();
        HttpResponse<byte[]> raw = broker.get(READ + "/0");
        assertThat(HttpBroker.text(raw)).isEqualTo(text);
        JsonNode tooLarge = json(413, broker.post(MESSAGES, "text/plain", text + text));
        assertThat(tooLarge.get("name").textValue()).isEqualTo("TOO_LARGE");
    }
}
