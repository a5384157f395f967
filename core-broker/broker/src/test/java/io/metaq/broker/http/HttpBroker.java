package io.metaq.broker.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.BrokerConfigBuilder;
import io.metaq.broker.config.Settings;
import io.metaq.log.file.Storage;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A broker with HTTP, and a client of it. */
final class HttpBroker implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Broker broker;

    HttpBroker(Path dir) throws Exception {
        this(dir, config -> config);
    }

    HttpBroker(Path dir, UnaryOperator<BrokerConfigBuilder> more) throws Exception {
        this(dir, Storage.disk(), more);
    }

    HttpBroker(Path dir, Storage storage, UnaryOperator<BrokerConfigBuilder> more) throws Exception {
        BrokerConfigBuilder config = BrokerConfig.builder()
                .dataPath(dir)
                .serverPort(0)
                .topic("t", 1)
                .topic("four", 4)
                .topic("queue", Map.of("kind", "queue"))
                .topic("auto.*", 2)
                .set(Settings.ADMIN_PORT, 0)
                .set(Settings.JOURNAL_SEGMENT_SIZE, 34 << 20)
                .set(Settings.DISK_WATERMARK_BYTES, 0L);
        broker = Broker.start(more.apply(config).build(), storage, Clock.systemUTC());
    }

    Broker broker() {
        return broker;
    }

    int port() {
        return broker.adminPort();
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(Duration.ofSeconds(120));
    }

    HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    HttpResponse<byte[]> get(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = request(path);
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    HttpResponse<byte[]> post(String path, String type, byte[] body) throws IOException, InterruptedException {
        return send(request(path).header("Content-Type", type).POST(HttpRequest.BodyPublishers.ofByteArray(body)));
    }

    HttpResponse<byte[]> post(String path, String type, String body) throws IOException, InterruptedException {
        return post(path, type, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Messages as they come, one on each line. */
    Stream<String> lines(String path) throws IOException, InterruptedException {
        HttpRequest request =
                request(path).header("Accept", "application/x-ndjson").build();
        return client.send(request, HttpResponse.BodyHandlers.ofLines()).body();
    }

    /** Quotes may be single ones. */
    HttpResponse<byte[]> postJson(String path, String json) throws IOException, InterruptedException {
        return post(path, "application/json", json.replace('\'', '"'));
    }

    /** The document of an answer that must have that status. */
    static JsonNode json(int status, HttpResponse<byte[]> response) throws IOException {
        assertThat(response.statusCode()).as(text(response)).isEqualTo(status);
        assertThat(response.headers().firstValue("content-type")).hasValue("application/json");
        return JSON.readTree(response.body());
    }

    static JsonNode json(String text) throws IOException {
        return JSON.readTree(text.replace('\'', '"'));
    }

    static String text(HttpResponse<byte[]> response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    /** What a partition holds from its first message on. */
    List<JsonNode> messages(String topic, int partition) throws IOException, InterruptedException {
        JsonNode page = json(200, get("/v1/topics/" + topic + "/partitions/" + partition + "/messages?max=10000"));
        List<JsonNode> messages = new ArrayList<>();
        page.get("messages").forEach(messages::add);
        return messages;
    }

    @Override
    public void close() {
        broker.close();
    }
}
