package io.metaq.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The protocol's document and this module say the same about messages. */
class MessageDocumentTest {
    private final String document;

    MessageDocumentTest() throws IOException {
        String all = Files.readString(find());
        document = all.substring(all.indexOf("\n### Properties"), all.indexOf("\n## Commands"));
    }

    private static Path find() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path found = at.resolve("ruby-python-protocol-spec").resolve("PROTOCOL.md");
            if (Files.isRegularFile(found)) {
                return found;
            }
        }
        throw new IllegalStateException("no PROTOCOL.md above " + Path.of("").toAbsolutePath());
    }

    @Test
    void shouldWriteTheDocumentedMessage() {
        PropertyBlockWriter writer = new PropertyBlockWriter()
                .header(HeaderField.BODY_KIND, BodyKind.TEXT.number())
                .header(HeaderField.PRIORITY, 9)
                .property("color", "blue");
        byte[] body = writer.join(ByteBuffer.wrap(MessageBody.encodeText("hi")));
        Matcher example = Pattern.compile(
                        "has flag (\\d+) and this body:\\s+<!-- example: text message -->\\s+```\\n(.*?)```",
                        Pattern.DOTALL)
                .matcher(document);
        assertThat(example.find()).isTrue();
        String digits = example.group(2)
                .lines()
                .map(line -> line.strip().split(" {2,}")[0].replace(" ", ""))
                .collect(Collectors.joining());
        assertThat(digits).isEqualTo(HexFormat.of().formatHex(body));
        assertThat(writer.flags()).isEqualTo(Integer.parseInt(example.group(1)));
    }

    @Test
    void shouldListEveryHeaderWithItsNumberAndType() {
        List<String> rows = rows("\\| (\\d+) \\| ([A-Z_]{4,}) \\| (string|long|int|byte)\\b.*");
        assertThat(rows)
                .containsExactlyElementsOf(Arrays.stream(HeaderField.values())
                        .map(f -> f.number() + " " + f + " " + f.type().name().toLowerCase())
                        .toList());
        for (HeaderField field : HeaderField.values()) {
            if (field.propertyName() != null) {
                assertThat(document).contains("the property `" + field.propertyName() + "`");
            }
        }
    }

    @Test
    void shouldListEveryFlag() {
        List<String> rows = rows("\\| (\\d+) \\| ([A-Z]{5,}) \\| ()(?:there is|the block|the payload).*");
        assertThat(rows)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(MessageFlags.class.getDeclaredFields())
                        .filter(f -> Modifier.isPublic(f.getModifiers()))
                        .map(f -> value(f) + " " + f.getName() + " ")
                        .toList());
    }

    @Test
    void shouldListEveryTypeAndKind() {
        for (ValueType type : ValueType.values()) {
            assertThat(document)
                    .containsPattern(
                            "\\| " + type.ordinal() + " \\| " + type.name().toLowerCase() + ": ");
        }
        for (BodyKind kind : BodyKind.values()) {
            assertThat(document).containsPattern("(?m)^\\| " + kind.number() + " \\| .*");
        }
        assertThat(document).contains(String.format("%,d characters", Selector.MAX_LENGTH));
    }

    private static Object value(Field field) {
        try {
            return field.get(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private List<String> rows(String regex) {
        return Pattern.compile("(?m)^" + regex)
                .matcher(document)
                .results()
                .map(m -> m.group(1) + " " + m.group(2) + " " + m.group(3))
                .toList();
    }
}
