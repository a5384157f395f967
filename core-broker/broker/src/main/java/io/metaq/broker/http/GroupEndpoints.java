package io.metaq.broker.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.metaq.protocol.AdminOperation;
import io.metaq.protocol.Request;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** {@code /v1/groups}: the positions of consumer groups, by the {@code group} command. */
final class GroupEndpoints {
    private static final String OFFSET = "offset";

    private GroupEndpoints() {}

    static CompletableFuture<HttpReply> list(Exchange exchange) {
        String glob = exchange.query().text("name", "*");
        return admin(exchange, AdminOperation.GROUP_LIST, glob, Map.of())
                .thenApply(answer -> HttpReply.json(json -> {
                    json.writeStartObject();
                    json.writeArrayFieldStart("groups");
                    for (String[] line : Lines.of(answer.ok())) {
                        json.writeStartObject();
                        json.writeStringField("name", line[0]);
                        json.writeNumberField("members", Integer.parseInt(line[2]));
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
        String group = exchange.path("group");
        return admin(exchange, AdminOperation.GROUP_DESCRIBE, group, Map.of()).thenApply(answer -> {
            List<String[]> lines = Lines.of(answer.ok());
            return HttpReply.json(json -> {
                json.writeStartObject();
                json.writeStringField("name", group);
                json.writeArrayFieldStart("members");
                for (String[] line : lines) {
                    if (line[0].equals("member")) {
                        json.writeString(line[1]);
                    }
                }
                json.writeEndArray();
                json.writeArrayFieldStart("partitions");
                for (String[] line : lines) {
                    if (line[0].equals("partition")) {
                        position(json, line);
                    }
                }
                json.writeEndArray();
                json.writeEndObject();
            });
        });
    }

    /** {@code partition T P offset O end E lag L owner M}, with a dash for what is not there. */
    private static void position(JsonGenerator json, String[] line) throws IOException {
        json.writeStartObject();
        json.writeStringField("topic", line[1]);
        json.writeNumberField("partition", Integer.parseInt(line[2]));
        if (line[4].equals("-")) {
            json.writeNullField(OFFSET);
        } else {
            json.writeNumberField(OFFSET, Long.parseLong(line[4]));
        }
        json.writeNumberField("endOffset", Long.parseLong(line[6]));
        json.writeNumberField("lag", Long.parseLong(line[8]));
        if (line[10].equals("-")) {
            json.writeNullField("owner");
        } else {
            json.writeStringField("owner", line[10]);
        }
        json.writeEndObject();
    }

    static CompletableFuture<HttpReply> offsets(Exchange exchange) {
        String topic = exchange.query().text("topic");
        Map<String, String> options = topic == null ? Map.of() : Map.of("topic", topic);
        return admin(exchange, AdminOperation.GROUP_OFFSETS, exchange.path("group"), options)
                .thenApply(answer -> HttpReply.json(json -> {
                    json.writeStartObject();
                    json.writeArrayFieldStart("offsets");
                    for (String[] line : Lines.of(answer.ok())) {
                        json.writeStartObject();
                        json.writeStringField("topic", line[0]);
                        json.writeNumberField("partition", Integer.parseInt(line[1]));
                        json.writeNumberField(OFFSET, Long.parseLong(line[2]));
                        json.writeStringField("id", line[3]);
                        json.writeNumberField("timestamp", Long.parseLong(line[4]));
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                    json.writeEndObject();
                }));
    }

    static CompletableFuture<HttpReply> commit(Exchange exchange) {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("topic", TopicNames.check(exchange.path("topic")));
        options.put("partition", Integer.toString(exchange.pathNumber("partition")));
        JsonInput.read(exchange.body(), in -> {
            in.object(field -> {
                switch (field) {
                    case OFFSET -> options.put(OFFSET, Long.toString(in.number(0, Long.MAX_VALUE)));
                    case "id" -> options.put("id", Long.toString(in.number(Long.MIN_VALUE, Long.MAX_VALUE)));
                    default -> throw in.unknown(field, "offset, id");
                }
            });
            return options;
        });
        if (!options.containsKey(OFFSET)) {
            throw HttpFailure.badRequest("offset is missing: where does the group read on?");
        }
        return admin(exchange, AdminOperation.GROUP_COMMIT, exchange.path("group"), options)
                .thenApply(TopicEndpoints::done);
    }

    static CompletableFuture<HttpReply> delete(Exchange exchange) {
        return admin(exchange, AdminOperation.GROUP_DELETE, exchange.path("group"), Map.of())
                .thenApply(TopicEndpoints::done);
    }
}
