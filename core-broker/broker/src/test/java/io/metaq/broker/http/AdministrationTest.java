package io.metaq.broker.http;

import static io.metaq.broker.http.HttpBroker.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.metaq.broker.config.Settings;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdministrationTest {
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

    private HttpResponse<byte[]> send(String method, String path, String body) throws Exception {
        return broker.send(broker.request(path)
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body.replace('\'', '"'))));
    }

    @Test
    void shouldMakeDescribeChangeAndDeleteTopics() throws Exception {
        HttpResponse<byte[]> made = broker.postJson(
                "/v1/topics", "{'name': 'ä.q', 'partitions': 2, 'settings': {'kind': 'queue', 'maxDeliveries': 3}}");
        json(201, made);
        assertThat(made.headers().firstValue("location")).hasValue("/v1/topics/%C3%A4.q");
        json(409, broker.postJson("/v1/topics", "{'name': 'ä.q'}"));
        json(400, broker.postJson("/v1/topics", "{'name': 'a b'}"));
        json(400, broker.postJson("/v1/topics", "{'name': 'x', 'settings': {'noSuch': 1}}"));
        json(400, broker.postJson("/v1/topics", "{'partitions': 1}"));

        json(200, broker.post("/v1/topics/%C3%A4.q/messages?partition=1", "text/plain", "a"));
        JsonNode topic = json(200, broker.get("/v1/topics/%C3%A4.q"));
        assertThat(topic.get("kind").textValue()).isEqualTo("queue");
        assertThat(topic.get("partitionCount").intValue()).isEqualTo(2);
        assertThat(topic.at("/partitions/1/messages").intValue()).isOne();
        assertThat(topic.at("/partitions/0/state").textValue()).isEqualTo("open");
        assertThat(topic.at("/own/maxDeliveries").intValue()).isEqualTo(3);

        assertThat(send("PATCH", "/v1/topics/%C3%A4.q", "{'partitions': 3, 'settings': {'maxDeliveries': null}}")
                        .statusCode())
                .isEqualTo(204);
        JsonNode changed = json(200, broker.get("/v1/topics/%C3%A4.q"));
        assertThat(changed.get("partitionCount").intValue()).isEqualTo(3);
        assertThat(changed.get("own").has("maxDeliveries")).isFalse();

        assertThat(json(200, broker.get("/v1/topics?name=*.q"))
                        .at("/topics/0/name")
                        .textValue())
                .isEqualTo("ä.q");
        assertThat(broker.send(broker.request("/v1/topics/%C3%A4.q").DELETE()).statusCode())
                .isEqualTo(204);
        json(404, broker.get("/v1/topics/%C3%A4.q"));
        json(404, broker.send(broker.request("/v1/topics/%C3%A4.q").DELETE()));
    }

    @Test
    void shouldKeepWhereGroupsReadOn() throws Exception {
        assertThat(send("PUT", "/v1/groups/g/offsets/t/0", "{'offset': 25, 'id': '77'}")
                        .statusCode())
                .isEqualTo(204);
        json(404, send("PUT", "/v1/groups/g/offsets/t/9", "{'offset': 25}"));
        json(400, send("PUT", "/v1/groups/g/offsets/t/0", "{}"));
        JsonNode offset = json(200, broker.get("/v1/groups/g/offsets?topic=t")).at("/offsets/0");
        assertThat(offset.get("offset").intValue()).isEqualTo(25);
        assertThat(offset.get("id").textValue()).isEqualTo("77");
        assertThat(json(200, broker.get("/v1/groups")).at("/groups/0/name").textValue())
                .isEqualTo("g");
        assertThat(json(200, broker.get("/v1/groups/g"))
                        .at("/partitions/0/offset")
                        .intValue())
                .isEqualTo(25);
        assertThat(broker.send(broker.request("/v1/groups/g").DELETE()).statusCode())
                .isEqualTo(204);
        json(404, broker.get("/v1/groups/g"));
        assertThat(json(200, broker.get("/v1/groups/g/offsets")).get("offsets")).isEmpty();
    }

    @Test
    void shouldTellFiguresAndDescribeItself() throws Exception {
        broker.post("/v1/topics/t/messages", "text/plain", "a");
        JsonNode stats = json(200, broker.get("/v1/stats"));
        assertThat(stats.at("/broker/total_messages").intValue()).isOne();
        assertThat(stats.get("topics")).isNotEmpty();
        assertThat(json(200, broker.get("/v1/openapi.json")).get("paths")).isNotEmpty();
    }

    @Test
    void shouldNotStartWhereThePortIsTaken(@TempDir Path other) {
        assertThatThrownBy(() ->
                        new HttpBroker(other, config -> config.set(Settings.ADMIN_PORT, broker.port())).close())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("choose another adminPort or adminHost");
    }
}
