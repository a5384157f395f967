package io.metaq.broker.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.metaq.message.MessageBody;
import io.metaq.message.MessageFlags;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes a stored message as JSON. */
final class MessageWriter {
    private static final int KNOWN_FLAGS = MessageFlags.ATTRIBUTE
            | MessageFlags.PROPERTIES
            | MessageFlags.SCHEDULED
            | MessageFlags.GROUPED
            | MessageFlags.EXPIRES
            | MessageFlags.LARGE;

    private MessageWriter() {}

    /** As an object of its own. */
    static void write(JsonGenerator json, StoredAt message) throws IOException {
        json.writeStartObject();
        writeFields(json, message);
        json.writeEndObject();
    }

    /** Into an object that is open. */
    static void writeFields(JsonGenerator json, StoredAt message) throws IOException {
        json.writeStringField("id", Long.toString(message.id()));
        json.writeNumberField("partition", message.partition());
        json.writeNumberField("offset", message.offset());
        json.writeNumberField("nextOffset", message.nextOffset());
        Content content = message.content();
        json.writeStringField("type", message.type());
        body(json, message);
        json.writeFieldName("headers");
        Headers.write(json, content.block(), message.id());
        json.writeFieldName("properties");
        map(json, content.properties());
        if (content.attribute() != null) {
            json.writeStringField("attribute", content.attribute());
        }
        if ((message.flag() & ~KNOWN_FLAGS) != 0) {
            json.writeNumberField("flag", message.flag() & ~KNOWN_FLAGS);
        }
    }

    private static void body(JsonGenerator json, StoredAt message) throws IOException {
        ByteBuffer payload = message.payload();
        if (payload == null) {
            json.writeNullField("body");
            json.writeObjectFieldStart("large");
            json.writeNumberField("length", message.largeLength());
            json.writeBooleanField("lost", message.lost());
            json.writeEndObject();
            return;
        }
        json.writeFieldName("body");
        writeBody(json, message);
    }

    /** The payload, which is there. */
    static void writeBody(JsonGenerator json, StoredAt message) throws IOException {
        ByteBuffer payload = Objects.requireNonNull(message.payload());
        switch (message.kind()) {
            case MESSAGE, NULL_TEXT -> json.writeNull();
            case TEXT -> json.writeString(MessageBody.decodeText(payload));
            case MAP -> map(json, MessageBody.decodeMap(payload));
            case STREAM -> {
                json.writeStartArray();
                for (Object value : MessageBody.decodeStream(payload)) {
                    TypedValue.write(json, value);
                }
                json.writeEndArray();
            }
            default -> json.writeString(base64(payload));
        }
    }

    private static String base64(ByteBuffer payload) {
        byte[] bytes = new byte[payload.remaining()];
        payload.get(payload.position(), bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    static void map(JsonGenerator json, Map<String, @Nullable Object> map) throws IOException {
        json.writeStartObject();
        for (Map.Entry<String, @Nullable Object> entry : map.entrySet()) {
            json.writeFieldName(entry.getKey());
            TypedValue.write(json, entry.getValue());
        }
        json.writeEndObject();
    }
}
