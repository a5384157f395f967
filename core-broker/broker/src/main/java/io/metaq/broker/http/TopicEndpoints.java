package io.metaq.broker.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.metaq.protocol.AdminOperation;
import io.metaq.protocol.Request;
import io.metaq.state.TemporaryTopics;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** {@code /v1/topics}: what there is, made and deleted by the {@code topic} command. */
final class TopicEndpoints {
    private static final String PARTITIONS = "partitions";

    /** Keys of a description that are no settings. */
    private static final Set<String> FACTS = Set.of("name", PARTITIONS, "durability", "kind");

    private TopicEndpoints() {}

    static CompletableFuture<HttpReply> list(Exchange exchange) {
        String glob = exchange.query().text("name", "*");
        return admin(exchange, AdminOperation.TOPIC_LIST, glob, Map.of())
                .thenApply(answer -> HttpReply.json(json -> {
                    json.writeStartObject();
                    json.writeArrayFieldStart("topics");
                    for (String[] line : Lines.of(answer.ok())) {
                        json.writeStartObject();
                        json.writeStringField("name", line[0]);
                        json.writeNumberField("partitionCount", Integer.parseInt(line[1]));
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                    json.writeEndObject();
                }));
    }

    private static CompletableFuture<Answer> admin(
            Exchange exchange, AdminOperation operation, String name, Map<String, String> options) {
        return exchange.ask(opaque -> new Request.Admin(operation, name, opaque, options));
    }

    static CompletableFuture<HttpReply> describe(Exchange exchange) {
        String topic = TopicNames.check(exchange.path("topic"));
        return admin(exchange, AdminOperation.TOPIC_DESCRIBE, topic, Map.of()).thenApply(answer -> {
            List<String> lines = answer.ok().lines().toList();
            return HttpReply.json(json -> write(json, topic, lines));
        });
    }

    private static void write(JsonGenerator json, String topic, List<String> lines) throws IOException {
        Map<String, String> settings = new LinkedHashMap<>();
        Map<String, String> own = new LinkedHashMap<>();
        json.writeStartObject();
        json.writeStringField("name", topic);
        json.writeArrayFieldStart(PARTITIONS);
        for (String line : lines) {
            String[] words = line.split(" ");
            if (words[0].equals("partition")) {
                partition(json, words);
            } else if (words[0].equals("set")) {
                own.put(words[1], Lines.rest(line, words[0] + " " + words[1]));
            } else {
                settings.put(words[0], Lines.rest(line, words[0]));
            }
        }
        json.writeEndArray();
        json.writeNumberField("partitionCount", Integer.parseInt(settings.getOrDefault(PARTITIONS, "0")));
        json.writeStringField("kind", settings.get("kind"));
        json.writeStringField("durability", settings.get("durability"));
        settings.keySet().removeAll(FACTS);
        settings(json, "settings", settings);
        settings(json, "own", own);
        json.writeEndObject();
    }

    private static void partition(JsonGenerator json, String[] words) throws IOException {
        json.writeStartObject();
        json.writeNumberField("partition", Integer.parseInt(words[1]));
        json.writeNumberField("firstOffset", Long.parseLong(words[3]));
        json.writeNumberField("endOffset", Long.parseLong(words[5]));
        json.writeNumberField("messages", Long.parseLong(words[7]));
        json.writeStringField("state", words[9]);
        json.writeEndObject();
    }

    private static void settings(JsonGenerator json, String name, Map<String, String> settings) throws IOException {
        json.writeObjectFieldStart(name);
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            json.writeFieldName(setting.getKey());
            Lines.write(json, setting.getValue());
        }
        json.writeEndObject();
    }

    /** What is to be made or changed. */
    private static final class Wish {
        @Nullable
        String name;

        final Map<String, String> options = new LinkedHashMap<>();

        static Wish read(Exchange exchange, boolean named) {
            Wish wish = new Wish();
            JsonInput.read(exchange.body(), in -> {
                in.object(field -> wish.field(field, named, in));
                return wish;
            });
            return wish;
        }

        private void field(String field, boolean named, JsonInput in) throws IOException {
            if (field.equals("name") && named) {
                name = in.string();
            } else if (field.equals(PARTITIONS)) {
                options.put(PARTITIONS, Long.toString(in.number(1, Integer.MAX_VALUE)));
            } else if (field.equals("settings")) {
                in.object(key -> {
                    if (key.equals(PARTITIONS) || key.equals("ensure")) {
                        throw in.wrong("that is no setting");
                    }
                    options.put(key, setting(in));
                });
            } else {
                throw in.unknown(field, (named ? "name, " : "") + "partitions, settings");
            }
        }

        /** A text, a number or a flag; null takes a setting back. */
        private static String setting(JsonInput in) throws IOException {
            Object value = in.isObject() ? new byte[0] : TypedValue.read(in);
            if (value instanceof byte[]) {
                throw in.wrong("a setting is a string, a number, true, false or null");
            }
            return value == null ? "" : value.toString();
        }
    }

    static CompletableFuture<HttpReply> create(Exchange exchange) {
        Wish wish = Wish.read(exchange, true);
        if (wish.name == null) {
            throw HttpFailure.badRequest("name is missing: what is the topic to be called?");
        }
        String name = notTemporary(TopicNames.check(wish.name));
        return admin(exchange, AdminOperation.TOPIC_CREATE, name, wish.options).thenApply(answer -> {
            answer.ok();
            return HttpReply.json(HttpResponseStatus.CREATED, json -> {
                        json.writeStartObject();
                        json.writeStringField("name", name);
                        json.writeEndObject();
                    })
                    .header(
                            HttpHeaderNames.LOCATION,
                            "/v1/topics/"
                                    + URLEncoder.encode(name, StandardCharsets.UTF_8)
                                            .replace("+", "%20"));
        });
    }

    /** What lives with a connection cannot be had by requests, each of which may come by another one. */
    private static String notTemporary(String name) {
        if (TemporaryTopics.isTemporary(name)) {
            throw HttpFailure.badRequest("temporary destinations belong to a connection of the text protocol");
        }
        return name;
    }

    static CompletableFuture<HttpReply> alter(Exchange exchange) {
        String topic = TopicNames.check(exchange.path("topic"));
        return admin(exchange, AdminOperation.TOPIC_ALTER, topic, Wish.read(exchange, false).options)
                .thenApply(TopicEndpoints::done);
    }

    static CompletableFuture<HttpReply> delete(Exchange exchange) {
        String topic = notTemporary(TopicNames.check(exchange.path("topic")));
        return admin(exchange, AdminOperation.TOPIC_DELETE, topic, Map.of()).thenApply(TopicEndpoints::done);
    }

    static HttpReply done(Answer answer) {
        answer.ok();
        return HttpReply.noContent();
    }
}
