package io.metaq.cli;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.metaq.client.Message;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Messages as JSON, one object per line. What {@code consume} writes {@code produce} reads: {@code data} (text) or {@code base64},
 * and where given {@code key}, {@code attribute}, {@code flag}, {@code partition}. The rest ({@code topic}, {@code broker},
 * {@code offset}, {@code id}) is information only.
 */
final class JsonMessages implements MessageReader {
    private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

    private final LineReader lines;
    private long lineNumber;

    JsonMessages(InputStream in) {
        this.lines = new LineReader(in, 2 * MAX_MESSAGE_BYTES);
    }

    @Override
    public @Nullable InputMessage next() throws IOException {
        byte[] line = lines.next();
        while (line != null && isBlank(line)) {
            lineNumber++;
            line = lines.next();
        }
        if (line == null) {
            return null;
        }
        lineNumber++;
        try {
            return parse(JsonParser.parseString(new String(line, StandardCharsets.UTF_8))
                    .getAsJsonObject());
        } catch (JsonParseException
                | IllegalStateException
                | UnsupportedOperationException
                | IllegalArgumentException e) {
            throw new CommandFailedException(
                    "line " + lineNumber + " is not a message in JSON: " + reason(e)
                            + "; give an object with data (text) or base64, and key, attribute, flag, partition where wanted",
                    e);
        }
    }

    private static String reason(RuntimeException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("it cannot be read");
    }

    private static boolean isBlank(byte[] line) {
        for (byte b : line) {
            if (b != ' ' && b != '\t' && b != '\r') {
                return false;
            }
        }
        return true;
    }

    private static InputMessage parse(JsonObject object) {
        return new InputMessage(
                data(object),
                text(object, "key"),
                text(object, "attribute"),
                number(object, "flag"),
                number(object, "partition"));
    }

    private static byte[] data(JsonObject object) {
        if (object.has("base64")) {
            return Base64.getDecoder().decode(object.get("base64").getAsString());
        }
        if (!object.has("data")) {
            throw new IllegalArgumentException("neither data nor base64 is given");
        }
        JsonElement data = object.get("data");
        // an object as data is a message in JSON itself
        String text = data.isJsonPrimitive() ? data.getAsString() : data.toString();
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static @Nullable String text(JsonObject object, String name) {
        JsonElement value = object.get(name);
        return value == null || value.isJsonNull() ? null : value.getAsString();
    }

    private static @Nullable Integer number(JsonObject object, String name) {
        JsonElement value = object.get(name);
        return value == null || value.isJsonNull() ? null : Integer.valueOf(value.getAsInt());
    }

    /** A received message as one line without its line feed. */
    static String write(Message message) {
        JsonObject object = new JsonObject();
        object.addProperty("topic", message.topic());
        if (message.partition() != null) {
            object.addProperty("broker", message.partition().broker());
            object.addProperty("partition", message.partition().partition());
        }
        object.addProperty("offset", message.offset());
        object.addProperty("id", message.id());
        if (message.attribute() != null) {
            object.addProperty("attribute", message.attribute());
        }
        if (message.flag() != 0) {
            object.addProperty("flag", message.flag());
        }
        addData(object, message.buffer());
        return GSON.toJson(object);
    }

    private static void addData(JsonObject object, ByteBuffer data) {
        try {
            String text =
                    StandardCharsets.UTF_8.newDecoder().decode(data.duplicate()).toString();
            object.add("data", new JsonPrimitive(text));
        } catch (CharacterCodingException notText) {
            byte[] bytes = new byte[data.remaining()];
            data.duplicate().get(bytes);
            object.addProperty("base64", Base64.getEncoder().encodeToString(bytes));
        }
    }
}
