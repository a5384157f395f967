package io.metaq.broker.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.metaq.protocol.Request;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** What the broker says of itself. */
final class BrokerEndpoints {
    private static final byte[] OPEN_API = resource("openapi.json");

    private BrokerEndpoints() {}

    private static byte[] resource(String name) {
        try (InputStream in = Objects.requireNonNull(BrokerEndpoints.class.getResourceAsStream(name), name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static CompletableFuture<HttpReply> openApi(Exchange exchange) {
        return CompletableFuture.completedFuture(HttpReply.bytes(HttpResponseStatus.OK, Json.CONTENT_TYPE, OPEN_API));
    }

    /** For those who watch over it: 200 while it serves. */
    static CompletableFuture<HttpReply> health(HttpParts.Health health) {
        return CompletableFuture.completedFuture(HttpReply.json(
                health.serving() ? HttpResponseStatus.OK : HttpResponseStatus.SERVICE_UNAVAILABLE, json -> {
                    json.writeStartObject();
                    json.writeStringField("status", health.serving() ? "up" : "stopping");
                    json.writeBooleanField("takesMessages", health.serving() && health.takesMessages());
                    json.writeEndObject();
                }));
    }

    static CompletableFuture<HttpReply> stats(Exchange exchange) {
        return exchange.ask(opaque -> new Request.Stats(null, opaque))
                .thenCombine(exchange.ask(opaque -> new Request.Stats("topics", opaque)), (broker, topics) -> {
                    List<String[]> ofBroker = Lines.of(broker.ok());
                    List<String[]> ofTopics = Lines.of(topics.ok());
                    return HttpReply.json(json -> {
                        json.writeStartObject();
                        json.writeObjectFieldStart("broker");
                        for (String[] line : ofBroker) {
                            if (line.length > 1) {
                                json.writeFieldName(line[0]);
                                Lines.write(json, line[1]);
                            }
                        }
                        json.writeEndObject();
                        json.writeArrayFieldStart("topics");
                        for (String[] line : ofTopics) {
                            if (line.length > 1) {
                                topic(json, line);
                            }
                        }
                        json.writeEndArray();
                        json.writeEndObject();
                    });
                });
    }

    /** {@code T key value key value …}, or {@code T *Empty*}. */
    private static void topic(JsonGenerator json, String[] line) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", line[0]);
        for (int i = 1; i + 1 < line.length; i += 2) {
            json.writeFieldName(line[i]);
            Lines.write(json, line[i + 1]);
        }
        json.writeEndObject();
    }
}
