package io.metaq.broker.http;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.metaq.protocol.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Reads a JSON document in one pass, token by token, so that no more of it is in memory than what is made of it. Every fault is a
 * {@link HttpFailure} that says where.
 */
final class JsonInput {
    private final JsonParser parser;

    private JsonInput(JsonParser parser) {
        this.parser = parser;
    }

    /** What is made of a document. */
    @FunctionalInterface
    interface Reading<T> {
        T read(JsonInput in) throws IOException;
    }

    /** Takes one value. */
    @FunctionalInterface
    interface Taking {
        void take() throws IOException;
    }

    /** Takes the value of one field. */
    @FunctionalInterface
    interface Field {
        void take(String name) throws IOException;
    }

    static <T> T read(ByteBuf body, Reading<T> reading) {
        try (JsonParser parser = Json.FACTORY.createParser((InputStream) new ByteBufInputStream(body.duplicate()))) {
            return read(parser, reading);
        } catch (JsonProcessingException e) {
            throw notJson(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static <T> T read(String text, Reading<T> reading) {
        try (JsonParser parser = Json.FACTORY.createParser(text)) {
            return read(parser, reading);
        } catch (JsonProcessingException e) {
            throw notJson(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <T> T read(JsonParser parser, Reading<T> reading) throws IOException {
        JsonInput in = new JsonInput(parser);
        if (parser.nextToken() == null) {
            throw HttpFailure.badRequest("the body is empty: a JSON document is expected");
        }
        T value = reading.read(in);
        if (parser.nextToken() != null) {
            throw in.wrong("there is more behind the document");
        }
        return value;
    }

    private static HttpFailure notJson(JsonProcessingException e) {
        return HttpFailure.badRequest(at(e.getLocation()) + e.getOriginalMessage());
    }

    private static String at(@Nullable JsonLocation place) {
        return place == null ? "" : "line " + place.getLineNr() + ", column " + place.getColumnNr() + ": ";
    }

    /** A fault at the current token. */
    HttpFailure wrong(String what) {
        String path = parser.getParsingContext().pathAsPointer().toString();
        return HttpFailure.badRequest(at(parser.currentTokenLocation()) + (path.isEmpty() ? "" : path + ": ") + what);
    }

    HttpFailure tooLarge(String what) {
        return HttpFailure.of(
                Status.TOO_LARGE,
                at(parser.currentTokenLocation()) + parser.getParsingContext().pathAsPointer() + ": " + what);
    }

    HttpFailure unknown(String field, String known) {
        return wrong("there is no field '" + field + "' here; there are " + known);
    }

    JsonToken token() {
        return parser.currentToken();
    }

    boolean isNull() {
        return parser.currentToken() == JsonToken.VALUE_NULL;
    }

    boolean isObject() {
        return parser.currentToken() == JsonToken.START_OBJECT;
    }

    /** Passes over the value. */
    void skip() throws IOException {
        parser.skipChildren();
    }

    void object(Field field) throws IOException {
        if (!isObject()) {
            throw wrong("an object is expected, not " + found());
        }
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            field.take(name);
        }
    }

    void array(Taking element) throws IOException {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw wrong("an array is expected, not " + found());
        }
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            element.take();
        }
    }

    String string() throws IOException {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw wrong("a string is expected, not " + found());
        }
        return whole(parser.getText());
    }

    /** A text whose halves of characters all belong to each other: others have no form in UTF-8. */
    private String whole(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                boolean pair = Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!pair) {
                    throw wrong("half of a character, \\u" + Integer.toHexString(c));
                }
                i++;
            }
        }
        return text;
    }

    /** The name of a field, as it is used where names are data. */
    String name(String name) {
        return whole(name);
    }

    byte[] base64(String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw wrong("bytes are given in base64: " + e.getMessage());
        }
    }

    boolean bool() throws IOException {
        return switch (parser.currentToken()) {
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> throw wrong("true or false is expected, not " + found());
        };
    }

    /** A whole number, which may be a string: JavaScript has no large ones. */
    long number(long min, long max) throws IOException {
        long value;
        try {
            value = switch (parser.currentToken()) {
                case VALUE_NUMBER_INT -> parser.getBigIntegerValue().longValueExact();
                case VALUE_STRING -> Long.parseLong(parser.getText());
                default -> throw wrong("a whole number is expected, not " + found());
            };
        } catch (NumberFormatException | ArithmeticException e) {
            throw outside(min, max);
        }
        if (value < min || value > max) {
            throw outside(min, max);
        }
        return value;
    }

    private HttpFailure outside(long min, long max) {
        return wrong("a whole number from " + min + " to " + max + " is expected");
    }

    double decimal() throws IOException {
        double value = parser.getDoubleValue();
        if (Double.isInfinite(value)) {
            throw wrong("the number is too large");
        }
        return value;
    }

    private String found() {
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "an array";
            case VALUE_STRING -> "a string";
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
            case VALUE_NULL -> "null";
            default -> token.asString() == null ? token.name() : token.asString();
        };
    }
}
