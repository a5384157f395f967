package io.metaq.testkit.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.message.BodyKind;
import io.metaq.message.HeaderField;
import io.metaq.message.MalformedPropertiesException;
import io.metaq.message.MessageBody;
import io.metaq.message.MessageFlags;
import io.metaq.message.PropertyBlock;
import io.metaq.message.PropertyBlockWriter;
import io.metaq.testkit.json.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The message format in Java against {@code messages.json}, as the vectors' README tells every implementation to do. */
class MessageVectorsTest {
    /** One vector: the JSON object. */
    record Vector(Map<String, Object> json) {
        String text(String key) {
            return String.valueOf(json.get(key));
        }

        int flag() {
            return ((Long) json.get("flag")).intValue();
        }

        ByteBuffer body() {
            return ByteBuffer.wrap(hex(text("body")));
        }

        @SuppressWarnings("unchecked")
        Map<String, Object> payload() {
            return (Map<String, Object>) json.get("payload");
        }

        List<List<Object>> list(String key) {
            return lists(json.get(key));
        }

        @Override
        public String toString() {
            return text("name");
        }
    }

    @SuppressWarnings("unchecked")
    static Stream<Vector> vectors() throws IOException {
        String text = Files.readString(VectorFile.repositoryDirectory().resolve("messages.json"));
        List<Map<String, Object>> all = (List<Map<String, Object>>) Json.parse(text);
        return all.stream().map(Vector::new);
    }

    static Stream<Vector> sound() throws IOException {
        return vectors().filter(vector -> !vector.json.containsKey("malformed"));
    }

    static Stream<Vector> canonical() throws IOException {
        return sound().filter(vector -> vector.json.get("canonical").equals(true));
    }

    static Stream<Vector> malformed() throws IOException {
        return vectors().filter(vector -> vector.json.containsKey("malformed"));
    }

    @ParameterizedTest
    @MethodSource("sound")
    void shouldReadWhatTheVectorSays(Vector vector) {
        List<List<Object>> headers = new ArrayList<>();
        List<List<Object>> properties = new ArrayList<>();
        PropertyBlock block = PropertyBlock.ofBody(vector.flag(), vector.body());
        if (block != null) {
            block.check();
            block.forEachHeader((field, value) -> addNew(headers, triple(field.name(), value)));
            block.forEachProperty((name, value) -> addNew(properties, triple(name, value)));
        }
        properties.removeIf(property -> property.get(0).toString().startsWith("JMSX"));
        assertThat(headers).containsExactlyInAnyOrderElementsOf(vector.list("headers"));
        assertThat(properties).isEqualTo(vector.list("properties"));
        assertThat(attribute(vector)).isEqualTo(vector.json.get("attribute"));
        assertThat(payload(vector, block)).isEqualTo(vector.payload());
    }

    @ParameterizedTest
    @MethodSource("canonical")
    void shouldWriteExactlyTheseBytes(Vector vector) {
        PropertyBlockWriter block = new PropertyBlockWriter();
        vector.list("headers")
                .forEach(header -> block.header(HeaderField.valueOf((String) header.get(0)), value(header)));
        vector.list("properties").forEach(property -> block.property((String) property.get(0), value(property)));
        byte[] body = block.join(ByteBuffer.wrap(payload(vector.payload())));
        int flag = block.flags();
        if (vector.json.containsKey("attribute")) {
            byte[] attribute = vector.text("attribute").getBytes(StandardCharsets.UTF_8);
            body = ByteBuffer.allocate(4 + attribute.length + body.length)
                    .putInt(attribute.length)
                    .put(attribute)
                    .put(body)
                    .array();
            flag |= MessageFlags.ATTRIBUTE;
        }
        assertThat(HexFormat.of().formatHex(body)).isEqualTo(vector.text("body"));
        assertThat(flag).isEqualTo(vector.flag());
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void shouldSayWhatIsMalformed(Vector vector) {
        assertThatThrownBy(() -> {
                    PropertyBlock block = PropertyBlock.ofBody(vector.flag(), vector.body());
                    if (block != null) {
                        block.check();
                    }
                    payload(vector, block);
                })
                .isInstanceOf(MalformedPropertiesException.class);
    }

    private static void addNew(List<List<Object>> triples, List<Object> triple) {
        if (triples.stream().noneMatch(known -> known.get(0).equals(triple.get(0)))) {
            triples.add(triple);
        }
    }

    private static @Nullable String attribute(Vector vector) {
        if ((vector.flag() & MessageFlags.ATTRIBUTE) == 0) {
            return null;
        }
        ByteBuffer body = vector.body();
        byte[] attribute = new byte[body.getInt()];
        body.get(attribute);
        return new String(attribute, StandardCharsets.UTF_8);
    }

    /** What is described under {@code payload}. */
    private static Map<String, Object> payload(Vector vector, @Nullable PropertyBlock block) {
        ByteBuffer bytes = MessageBody.payload(vector.flag(), vector.body());
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("kind", block == null ? null : (long) block.headerInt(HeaderField.BODY_KIND, 0));
        BodyKind kind = block == null ? BodyKind.BYTES : BodyKind.of(block);
        if (MessageFlags.has(vector.flag(), MessageFlags.LARGE)) {
            described.put("chunks", chunks(bytes, block));
        } else if (kind == BodyKind.TEXT) {
            described.put("text", MessageBody.decodeText(bytes));
        } else if (kind == BodyKind.MAP) {
            List<List<Object>> entries = new ArrayList<>();
            MessageBody.decodeMap(bytes).forEach((name, value) -> entries.add(triple(name, value)));
            described.put("map", entries);
        } else if (kind == BodyKind.STREAM) {
            described.put(
                    "stream",
                    MessageBody.decodeStream(bytes).stream()
                            .map(value -> triple("", value).subList(1, 3))
                            .toList());
        } else if (kind == BodyKind.OBJECT) {
            described.put("object", hex(bytes));
        } else if (kind == BodyKind.BYTES || bytes.hasRemaining()) {
            described.put("bytes", hex(bytes));
        }
        return described;
    }

    private static List<Object> chunks(ByteBuffer offsets, @Nullable PropertyBlock block) {
        long length = block == null ? 0 : block.headerLong(HeaderField.LARGE_LENGTH, 0);
        if (offsets.remaining() != 8 * ((length + (1 << 20) - 1) >> 20)) {
            throw new MalformedPropertiesException(offsets.remaining() + " bytes of offsets for " + length + " bytes");
        }
        List<Object> chunks = new ArrayList<>();
        while (offsets.hasRemaining()) {
            chunks.add(offsets.getLong());
        }
        return chunks;
    }

    private static byte[] payload(Map<String, Object> described) {
        if (described.get("chunks") instanceof List<?> chunks) {
            ByteBuffer offsets = ByteBuffer.allocate(8 * chunks.size());
            chunks.forEach(chunk -> offsets.putLong((Long) chunk));
            return offsets.array();
        }
        if (described.get("text") instanceof String text) {
            return MessageBody.encodeText(text);
        }
        if (described.containsKey("map")) {
            Map<String, @Nullable Object> map = new LinkedHashMap<>();
            lists(described.get("map")).forEach(entry -> map.put((String) entry.get(0), value(entry)));
            return MessageBody.encodeMap(map);
        }
        if (described.containsKey("stream")) {
            List<@Nullable Object> values = new ArrayList<>();
            lists(described.get("stream")).forEach(pair -> values.add(TypedValue.read(pair.get(0), pair.get(1))));
            return MessageBody.encodeStream(values);
        }
        Object bytes = described.getOrDefault("bytes", described.getOrDefault("object", ""));
        return hex((String) bytes);
    }

    private static @Nullable Object value(List<Object> triple) {
        return TypedValue.read(triple.get(1), triple.get(2));
    }

    private static List<Object> triple(String name, @Nullable Object value) {
        List<Object> triple = new ArrayList<>();
        triple.add(name);
        triple.add(TypedValue.type(value));
        triple.add(TypedValue.describe(value));
        return triple;
    }

    @SuppressWarnings("unchecked")
    private static List<List<Object>> lists(@Nullable Object value) {
        return (List<List<Object>>) value;
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }

    private static String hex(ByteBuffer bytes) {
        byte[] all = new byte[bytes.remaining()];
        bytes.get(all);
        return HexFormat.of().formatHex(all);
    }
}
