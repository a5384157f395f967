package io.metaq.broker.http;

import io.metaq.message.BodyKind;
import io.metaq.message.MessageBody;
import io.metaq.protocol.Request;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads one message of a JSON document that publishes. */
final class MessageReader {
    private static final String FIELDS = "type, body, headers, properties, key, partition, delay, ttl, attribute, flag";

    /** Objects of this many values would take far more memory than the document that has them. */
    private static final int MOST_VALUES = 100_000;

    private final JsonInput in;
    private final NewMessage message = new NewMessage();
    private @Nullable BodyKind kind;
    private @Nullable Object body;

    private MessageReader(JsonInput in) {
        this.in = in;
    }

    static NewMessage read(JsonInput in) throws IOException {
        return new MessageReader(in).message();
    }

    private NewMessage message() throws IOException {
        in.object(this::field);
        finish();
        return message;
    }

    /** What was read can be published as it is: what the broker said of its place is passed over. */
    private void field(String name) throws IOException {
        switch (name) {
            case "type" -> kind = kind(in.string());
            case "body" -> body = body();
            case "headers" -> message.headers.putAll(Headers.read(in));
            case "properties" -> message.properties.putAll(values());
            case "key" -> message.key = in.isNull() ? null : in.string();
            case "partition" -> message.partition = (int) in.number(Request.ANY_PARTITION, Integer.MAX_VALUE);
            case "delay" -> message.delayMs = in.number(0, Long.MAX_VALUE);
            case "ttl" -> message.timeToLiveMs = in.number(0, Long.MAX_VALUE);
            case "attribute" -> message.attribute = in.isNull() ? null : in.string();
            case "flag" -> message.flag = (int) in.number(Integer.MIN_VALUE, Integer.MAX_VALUE);
            case "id", "offset", "nextOffset" -> in.skip();
            default -> throw in.unknown(name, FIELDS);
        }
    }

    private BodyKind kind(String text) {
        return switch (text) {
            case "text" -> BodyKind.TEXT;
            case "bytes" -> BodyKind.BYTES;
            case "map" -> BodyKind.MAP;
            case "stream" -> BodyKind.STREAM;
            case "object" -> BodyKind.OBJECT;
            case "none" -> BodyKind.MESSAGE;
            default ->
                throw in.wrong("there is no type '" + text + "'; there are text, bytes, map, stream, object, none");
        };
    }

    /** String, map, list or null: what it means is known when the type is, which may stand behind it. */
    private @Nullable Object body() throws IOException {
        return switch (in.token()) {
            case VALUE_NULL -> null;
            case VALUE_STRING -> in.string();
            case START_OBJECT -> values();
            case START_ARRAY -> list();
            default -> throw in.wrong("a body is a string, an object, an array or null");
        };
    }

    private Map<String, @Nullable Object> values() throws IOException {
        return values(in);
    }

    /** An object of named values. */
    static Map<String, @Nullable Object> values(JsonInput in) throws IOException {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        in.object(name -> {
            if (name.isEmpty()) {
                throw in.wrong("a name cannot be empty");
            }
            values.put(in.name(name), TypedValue.read(in));
            limit(values.size(), in);
        });
        return values;
    }

    private List<@Nullable Object> list() throws IOException {
        List<@Nullable Object> values = new ArrayList<>();
        in.array(() -> {
            values.add(TypedValue.read(in));
            limit(values.size(), in);
        });
        return values;
    }

    private static void limit(int count, JsonInput in) {
        if (count > MOST_VALUES) {
            throw in.tooLarge("an object or array here has at most " + MOST_VALUES + " values");
        }
    }

    private void finish() {
        BodyKind wanted = kind == null ? implied() : kind;
        message.kind = wanted;
        message.payload = switch (wanted) {
            case TEXT -> text();
            case BYTES, OBJECT -> bytes(wanted);
            case MAP -> encodeMap();
            case STREAM -> encodeStream();
            default -> nothing();
        };
    }

    private BodyKind implied() {
        if (body instanceof String) {
            return BodyKind.TEXT;
        } else if (body instanceof Map) {
            return BodyKind.MAP;
        }
        return body instanceof List ? BodyKind.STREAM : BodyKind.MESSAGE;
    }

    private byte[] text() {
        if (body == null) {
            message.kind = BodyKind.NULL_TEXT;
            return new byte[0];
        } else if (body instanceof String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        throw mismatch(BodyKind.TEXT, "a string");
    }

    private byte[] bytes(BodyKind wanted) {
        if (body == null) {
            return new byte[0];
        } else if (body instanceof String text) {
            return in.base64(text);
        }
        throw mismatch(wanted, "a string in base64");
    }

    @SuppressWarnings("unchecked") // maps are made here, by values()
    private byte[] encodeMap() {
        if (body instanceof Map<?, ?> map) {
            return MessageBody.encodeMap((Map<String, ?>) map);
        } else if (body == null) {
            return MessageBody.encodeMap(Map.of());
        }
        throw mismatch(BodyKind.MAP, "an object");
    }

    private byte[] encodeStream() {
        if (body instanceof List<?> list) {
            return MessageBody.encodeStream(list);
        } else if (body == null) {
            return new byte[0];
        }
        throw mismatch(BodyKind.STREAM, "an array");
    }

    private byte[] nothing() {
        if (body != null) {
            throw in.wrong("a message of type none has no body");
        }
        return new byte[0];
    }

    private HttpFailure mismatch(BodyKind wanted, String form) {
        return in.wrong("the body of type " + wanted.name().toLowerCase(Locale.ROOT) + " is " + form);
    }
}
