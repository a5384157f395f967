package io.metaq.tck.languages;

import io.metaq.testkit.json.Json;
import io.metaq.testkit.vector.TypedValue;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A program that speaks HTTP and JSON. Reads by offset. */
final class HttpParty implements Party {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpClient http = HttpClient.newHttpClient();
    private final String topics;

    HttpParty(int port) {
        topics = "http://127.0.0.1:" + port + "/v1/topics/";
    }

    /** Small ones as one batch, each large one by itself. */
    @Override
    public void send(String queue, List<Described> messages) throws Exception {
        publish(queue, messages.stream().filter(message -> message.size() == 0).toList());
        for (Described message : messages) {
            if (message.size() > 0) {
                publish(queue, List.of(message));
            }
        }
    }

    private void publish(String queue, List<Described> messages) throws Exception {
        String document = Json.write(
                Map.of("messages", messages.stream().map(HttpParty::json).toList()));
        ask(HttpRequest.newBuilder(URI.create(topics + queue + "/messages"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(document)));
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> ask(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response =
                http.send(request.timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException(response.statusCode() + " " + response.body());
        }
        return (Map<String, Object>) Objects.requireNonNull(Json.parse(response.body()));
    }

    private static Map<String, Object> json(Described described) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("type", described.kind().equals("nulltext") ? "text" : described.kind());
        json.put("body", body(described));
        Map<String, Object> headers = new LinkedHashMap<>(described.headers());
        if (headers.remove("timeToLive") instanceof Long timeToLive) {
            json.put("ttl", timeToLive);
        }
        if (headers.remove("delay") instanceof Long delay) {
            json.put("delay", delay);
        }
        if (headers.remove("correlationIdBytes") instanceof String digits) {
            headers.put("correlationId", typed("bytes", digits));
        }
        json.put("headers", headers);
        json.put("properties", named(described.properties()));
        return json;
    }

    private static @Nullable Object body(Described described) {
        if (described.size() > 0) {
            byte[] made = described.generatedBody();
            return described.kind().equals("text")
                    ? new String(made, StandardCharsets.UTF_8)
                    : Base64.getEncoder().encodeToString(made);
        }
        Object body = described.body();
        return switch (described.kind()) {
            case "bytes", "object" -> base64((String) Objects.requireNonNull(body));
            case "map" -> named(Objects.requireNonNull(body));
            case "stream" ->
                ((List<?>) Objects.requireNonNull(body))
                        .stream()
                                .map(pair -> typed(String.valueOf(((List<?>) pair).get(0)), ((List<?>) pair).get(1)))
                                .toList();
            default -> body;
        };
    }

    private static Map<String, Object> named(Object triples) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (Object triple : (List<?>) triples) {
            List<?> parts = (List<?>) triple;
            values.put(String.valueOf(parts.get(0)), typed(String.valueOf(parts.get(1)), parts.get(2)));
        }
        return values;
    }

    private static Object typed(String type, @Nullable Object value) {
        Map<String, Object> typed = new LinkedHashMap<>();
        typed.put("type", type);
        typed.put("value", type.equals("bytes") ? base64(String.valueOf(value)) : value);
        return typed;
    }

    private static String base64(String digits) {
        return Base64.getEncoder().encodeToString(HexFormat.of().parseHex(digits));
    }

    private static String hex(Object base64) {
        return HexFormat.of().formatHex(Base64.getDecoder().decode(String.valueOf(base64)));
    }

    @Override
    public List<Described> receive(String queue, int count) throws Exception {
        List<Described> received = new ArrayList<>();
        long offset = 0;
        while (received.size() < count) {
            Map<String, Object> page = ask(HttpRequest.newBuilder(
                    URI.create(topics + queue + "/partitions/0/messages?wait=10000&offset=" + offset)));
            List<?> messages = (List<?>) Objects.requireNonNull(page.get("messages"));
            if (messages.isEmpty()) {
                break;
            }
            for (Object one : messages) {
                Map<?, ?> message = (Map<?, ?>) one;
                if (message.containsKey("large")) {
                    // It does not fit any more: the first one of a page does.
                    break;
                }
                received.add(described(message));
                offset = (Long) message.get("nextOffset");
            }
        }
        return received;
    }

    private static Described described(Map<?, ?> message) {
        Map<String, Object> headers = headers((Map<?, ?>) message.get("headers"));
        List<List<Object>> properties = entries(message.get("properties"));
        String type = (String) message.get("type");
        Object body = message.get("body");
        return switch (type) {
            case "text" ->
                body == null
                        ? new Described("nulltext", null, 0, headers, properties)
                        : Described.ofBytes(
                                type, ((String) body).getBytes(StandardCharsets.UTF_8), headers, properties);
            case "bytes" -> Described.ofBytes(type, Base64.getDecoder().decode((String) body), headers, properties);
            case "object" -> new Described(type, hex(body), 0, headers, properties);
            case "map" -> new Described(type, entries(body), 0, headers, properties);
            case "stream" ->
                new Described(
                        type, ((List<?>) body).stream().map(HttpParty::pair).toList(), 0, headers, properties);
            default -> new Described(type, null, 0, headers, properties);
        };
    }

    private static Map<String, Object> headers(Map<?, ?> json) {
        Map<String, Object> headers = new HashMap<>();
        for (String name : List.of("type", "replyTo", "priority", "groupId", "groupSeq", "persistent")) {
            if (json.get(name) != null) {
                headers.put(name, json.get(name));
            }
        }
        headers.remove("priority", 4L);
        headers.remove("persistent", true);
        if (json.get("correlationId") instanceof Map<?, ?> typed) {
            headers.put("correlationIdBytes", hex(typed.get("value")));
        } else if (json.get("correlationId") != null) {
            headers.put("correlationId", json.get("correlationId"));
        }
        if (json.get("expiration") instanceof Long expiration) {
            headers.put("timeToLive", expiration - (Long) json.get("timestamp"));
        }
        if (json.get("deliveryTime") instanceof Long time && time > (Long) json.get("timestamp")) {
            headers.put("delay", time - (Long) json.get("timestamp"));
        }
        return headers;
    }

    private static List<List<Object>> entries(Object json) {
        List<List<Object>> entries = new ArrayList<>();
        ((Map<?, ?>) json).forEach((name, value) -> {
            List<Object> triple = new ArrayList<>();
            triple.add(name);
            triple.addAll(pair(value));
            entries.add(triple);
        });
        return entries;
    }

    private static List<Object> pair(@Nullable Object json) {
        if (json instanceof Map<?, ?> typed) {
            Object value = typed.get("value");
            return switch (String.valueOf(typed.get("type"))) {
                case "bytes" -> List.of("bytes", hex(value));
                case "char" -> List.of("char", value instanceof String text ? (Object) (long) text.charAt(0) : value);
                // Whole numbers that JSON's readers may round are told as text.
                case "long" ->
                    List.of("long", value instanceof String digits ? (Object) Long.parseLong(digits) : value);
                default -> Described.pair(TypedValue.read(typed.get("type"), value));
            };
        }
        return Described.pair(json);
    }

    @Override
    public void close() {}
}
