package io.metaq.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.metaq.message.BodyKind;
import io.metaq.message.HeaderField;
import io.metaq.message.MalformedPropertiesException;
import io.metaq.message.MessageBody;
import io.metaq.message.PropertyBlock;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * What a person wants to see of a message with properties.
 *
 * @param id as the sender gave it, else the broker's number
 * @param kind of the body: text, bytes, map, ...
 * @param type as the sender gave it; empty if it did not
 * @param properties as {@code {name=value, ...}}; empty if there are none
 * @param beginning of the body, in one line
 */
record MessagePreview(String id, int priority, String kind, String type, String properties, String beginning) {
    private static final int DEFAULT_PRIORITY = 4;

    /**
     * What can be seen of a message; one whose properties make no sense is shown as bytes, since its sender may mean something
     * else by its flag.
     *
     * @param body as stored, with attribute and property block
     */
    static MessagePreview of(long messageId, int flag, ByteBuffer body, int most) {
        try {
            PropertyBlock block = PropertyBlock.ofBody(flag, body.duplicate());
            return block == null
                    ? plain(messageId, MessageBody.payload(flag, body.duplicate()), most)
                    : of(messageId, block, MessageBody.payload(flag, body.duplicate()), most);
        } catch (MalformedPropertiesException e) {
            return plain(messageId, body, most);
        }
    }

    private static MessagePreview plain(long messageId, ByteBuffer payload, int most) {
        return new MessagePreview(Long.toString(messageId), DEFAULT_PRIORITY, "-", "", "", beginning(payload, most));
    }

    /** Type, properties and how the body begins, in one line. */
    String text() {
        StringBuilder text = new StringBuilder();
        if (!type.isEmpty()) {
            text.append('[').append(type).append("] ");
        }
        if (!properties.isEmpty()) {
            text.append(properties).append(' ');
        }
        return text.append(beginning).toString();
    }

    private static MessagePreview of(long messageId, PropertyBlock block, ByteBuffer payload, int most) {
        BodyKind kind = BodyKind.of(block);
        long apart = block.headerLong(HeaderField.LARGE_LENGTH, -1);
        return new MessagePreview(
                Objects.requireNonNullElse(block.headerString(HeaderField.MESSAGE_ID), Long.toString(messageId)),
                block.headerInt(HeaderField.PRIORITY, DEFAULT_PRIORITY),
                kind.name().toLowerCase(Locale.ROOT),
                Objects.requireNonNullElse(block.headerString(HeaderField.TYPE), ""),
                properties(block),
                apart >= 0 ? apart + " bytes, kept apart from the message" : body(kind, payload, most));
    }

    private static String properties(PropertyBlock block) {
        StringJoiner properties = new StringJoiner(", ", "{", "}").setEmptyValue("");
        block.forEachProperty((name, value) -> properties.add(name + "=" + oneLine(String.valueOf(value))));
        return properties.toString();
    }

    private static String body(BodyKind kind, ByteBuffer payload, int most) {
        return switch (kind) {
            case MAP -> cut(MessageBody.decodeMap(payload), most);
            case STREAM -> cut(MessageBody.decodeStream(payload), most);
            case OBJECT -> payload.remaining() + " bytes of a serialized object";
            default -> beginning(payload, most);
        };
    }

    private static String cut(@Nullable Object values, int most) {
        String text = oneLine(String.valueOf(values));
        return text.length() <= most ? text : text.substring(0, most) + "...";
    }

    /** The first bytes as text in one line, with a sign that there are more. */
    private static String beginning(ByteBuffer data, int most) {
        byte[] bytes = new byte[Math.min(most, data.remaining())];
        data.duplicate().get(bytes);
        return oneLine(new String(bytes, UTF_8)) + (bytes.length < data.remaining() ? "..." : "");
    }

    private static String oneLine(String text) {
        StringBuilder line = new StringBuilder();
        text.codePoints().map(c -> Character.isISOControl(c) ? '.' : c).forEach(line::appendCodePoint);
        return line.toString();
    }
}
