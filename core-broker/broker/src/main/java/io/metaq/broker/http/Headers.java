package io.metaq.broker.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.metaq.message.HeaderField;
import io.metaq.message.PropertyBlock;
import java.io.IOException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The headers of a message by the names that they have in JSON and among parameters. */
final class Headers {
    /** What may be given, and is given out; where a payload lies is the broker's own business. */
    private static final Map<String, HeaderField> FIELDS = new LinkedHashMap<>();

    private static final List<String> DESTINATIONS = List.of("queue://", "topic://", "temp-queue://", "temp-topic://");
    private static final String PERSISTENT = "persistent";

    static {
        FIELDS.put("messageId", HeaderField.MESSAGE_ID);
        FIELDS.put("timestamp", HeaderField.TIMESTAMP);
        FIELDS.put("expiration", HeaderField.EXPIRATION);
        FIELDS.put("deliveryTime", HeaderField.DELIVERY_TIME);
        FIELDS.put("priority", HeaderField.PRIORITY);
        FIELDS.put(PERSISTENT, HeaderField.DELIVERY_MODE);
        FIELDS.put("correlationId", HeaderField.CORRELATION_ID);
        FIELDS.put("replyTo", HeaderField.REPLY_TO);
        FIELDS.put("type", HeaderField.TYPE);
        FIELDS.put("destination", HeaderField.DESTINATION);
        FIELDS.put("origin", HeaderField.ORIGIN);
        FIELDS.put("groupId", HeaderField.GROUP_ID);
        FIELDS.put("groupSeq", HeaderField.GROUP_SEQ);
        FIELDS.put("userId", HeaderField.USER_ID);
    }

    static final String NAMES = String.join(", ", FIELDS.keySet());

    private Headers() {}

    static boolean isOne(String name) {
        return FIELDS.containsKey(name);
    }

    /** Reads an object of headers. */
    static Map<HeaderField, Object> read(JsonInput in) throws IOException {
        Map<HeaderField, Object> headers = new EnumMap<>(HeaderField.class);
        in.object(name -> {
            HeaderField field = FIELDS.get(name);
            if (field == null) {
                throw in.unknown(name, NAMES);
            } else if (!in.isNull()) {
                headers.put(field, value(name, field, in));
            }
        });
        return headers;
    }

    private static Object value(String name, HeaderField field, JsonInput in) throws IOException {
        return switch (field) {
            case TIMESTAMP, EXPIRATION, DELIVERY_TIME -> in.number(0, Long.MAX_VALUE);
            case PRIORITY -> in.number(0, 9);
            case GROUP_SEQ -> in.number(Integer.MIN_VALUE, Integer.MAX_VALUE);
            case DELIVERY_MODE -> in.bool() ? 2 : 1;
            case CORRELATION_ID -> correlation(in);
            case REPLY_TO, DESTINATION -> destination(name, in.string());
            default -> in.string();
        };
    }

    private static Object correlation(JsonInput in) throws IOException {
        Object value = TypedValue.read(in);
        if (value instanceof String || value instanceof byte[]) {
            return value;
        }
        throw in.wrong("a correlation id is a string or bytes");
    }

    private static String destination(String name, String text) {
        for (String scheme : DESTINATIONS) {
            if (text.startsWith(scheme) && text.length() > scheme.length()) {
                return text;
            }
        }
        throw HttpFailure.badRequest(
                name + " is one of " + String.join("NAME, ", DESTINATIONS) + "NAME, not '" + text + "'");
    }

    /** A header as a parameter has it. */
    static void read(String name, String text, Map<HeaderField, Object> into) {
        HeaderField field = FIELDS.get(name);
        if (field == null) {
            throw HttpFailure.badRequest("there is no header '" + name + "'; there are " + NAMES);
        }
        Object value = switch (field) {
            case TIMESTAMP, EXPIRATION, DELIVERY_TIME -> Query.number(name, text, 0, Long.MAX_VALUE);
            case PRIORITY -> Query.number(name, text, 0, 9);
            case GROUP_SEQ -> Query.number(name, text, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case DELIVERY_MODE -> flag(name, text) ? 2 : 1;
            case REPLY_TO, DESTINATION -> destination(name, text);
            default -> text;
        };
        into.put(field, value);
    }

    private static boolean flag(String name, String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw HttpFailure.badRequest(name + " is true or false, not '" + text + "'");
        };
    }

    /** Writes an object of what the message says, and what its absence means. */
    static void write(JsonGenerator json, @Nullable PropertyBlock block, long messageId) throws IOException {
        json.writeStartObject();
        for (Map.Entry<String, HeaderField> entry : FIELDS.entrySet()) {
            Object value = block == null ? null : block.header(entry.getValue());
            if (entry.getValue() == HeaderField.MESSAGE_ID && value == null) {
                value = "ID:" + messageId;
            }
            if (value instanceof Number number && entry.getKey().equals(PERSISTENT)) {
                json.writeBooleanField(PERSISTENT, number.intValue() != 1);
            } else if (value instanceof byte[]) {
                json.writeFieldName(entry.getKey());
                TypedValue.write(json, value);
            } else if (value instanceof Number number) {
                json.writeNumberField(entry.getKey(), number.longValue());
            } else if (value != null) {
                json.writeStringField(entry.getKey(), value.toString());
            }
        }
        json.writeEndObject();
    }
}
