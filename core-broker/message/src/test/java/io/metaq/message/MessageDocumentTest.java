package io.metaq.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The protocol's document and this module say the same about messages. */
class MessageDocumentTest {
    private static String document() throws IOException {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path found = at.resolve("ruby-python-protocol-spec").resolve("PROTOCOL.md");
            if (Files.isRegularFile(found)) {
                return Files.readString(found);
            }
        }
        throw new IllegalStateException("no PROTOCOL.md above " + Path.of("").toAbsolutePath());
    }

    @Test
    void shouldWriteTheDocumentedMessage() throws IOException {
        PropertyBlockWriter writer = new PropertyBlockWriter()
                .header(HeaderField.BODY_KIND, BodyKind.TEXT.number())
                .header(HeaderField.PRIORITY, 9)
                .property("color", "blue");
        byte[] body = writer.join(ByteBuffer.wrap(MessageBody.encodeText("hi")));
        Matcher example = Pattern.compile(
                        "has flag (\\d+) and this body:\\s+<!-- example: text message -->\\s+```\\n(.*?)```",
                        Pattern.DOTALL)
                .matcher(document());
        assertThat(example.find()).isTrue();
        String digits = example.group(2)
                .lines()
                .map(line -> line.strip().split(" {2,}")[0].replace(" ", ""))
                .collect(Collectors.joining());
        assertThat(digits).isEqualTo(HexFormat.of().formatHex(body));
        assertThat(writer.flags()).isEqualTo(Integer.parseInt(example.group(1)));
    }

    @Test
    void shouldSayWhatTheCodeSays() throws IOException {
        assertThat(inDocument(document())).containsExactlyInAnyOrderElementsOf(inCode());
    }

    static Stream<Arguments> plantedDifferences() {
        return Stream.of(
                arguments("| 16 | EXPIRES |", "| 17 | EXPIRES |"),
                arguments("| 32 | LARGE |", "| 32 | LARGE | the payload is elsewhere |\n| 64 | SMALL |"),
                arguments("| 7 | CORRELATION_ID | string", "| 7 | CORRELATION_ID | long"),
                arguments("| 19 | LARGE_LENGTH | long", "| 20 | LARGE_LENGTH | long"),
                arguments("the property `JMSXUserID`", "the property `JMSXUser`"),
                arguments("| 10 | char:", "| 11 | char:"),
                arguments("| 10 | char: a UTF-16 unit, 2 bytes |", "| | |"),
                arguments("| 6 | a text that is null", "| 7 | a text that is null"),
                arguments("| 6 | a text that is null", "| 7 | a picture |\n| 6 | a text that is null"),
                arguments("65,536 characters", "65,535 characters"));
    }

    /** A check that finds nothing must be able to find something. */
    @ParameterizedTest
    @MethodSource("plantedDifferences")
    void shouldNoticeADifference(String from, String to) throws IOException {
        String document = document();
        assertThat(document.contains(from)).as("there is something to change").isTrue();
        List<String> found = inDocument(document.replace(from, to));
        assertThat(found.stream().sorted().toList())
                .isNotEqualTo(inCode().stream().sorted().toList());
    }

    private static List<String> inDocument(String document) {
        List<String> all = new ArrayList<>();
        String properties = section(document, "Properties");
        rows(properties, "(?m)^\\| (\\d+) \\| ([A-Z]{5,}) \\| (?:there is|the block|the payload)", "flag", all);
        rows(properties, "(?m)^\\| (\\d+) \\| ([A-Z_]{4,} \\| (?:string|long|int|byte))\\b", "header", all);
        rows(properties, "the property (`)(JMSX[A-Za-z]+)`", "property", all);
        rows(properties, "(?<=\\|) (\\d+) \\| ([a-z]+): ", "type", all);
        rows(section(document, "Payloads"), "(?m)^\\| (\\d+) (\\|)", "kind", all);
        rows(section(document, "Selectors"), "(at most) ([\\d,]+) characters", "selector", all);
        return all;
    }

    private static void rows(String section, String regex, String what, List<String> all) {
        Pattern.compile(regex)
                .matcher(section)
                .results()
                .map(m -> what + " " + m.group(1) + " " + m.group(2))
                .forEach(all::add);
    }

    private static String section(String document, String title) {
        int from = document.indexOf("\n### " + title + "\n");
        return document.substring(from, document.indexOf("\n##", from + 5));
    }

    private static List<String> inCode() {
        List<String> all = new ArrayList<>();
        Arrays.stream(MessageFlags.class.getDeclaredFields())
                .filter(field -> Modifier.isPublic(field.getModifiers()))
                .forEach(field -> all.add("flag " + value(field) + " " + field.getName()));
        for (HeaderField field : HeaderField.values()) {
            all.add("header " + field.number() + " " + field + " | "
                    + field.type().name().toLowerCase());
            if (field.propertyName() != null) {
                all.add("property ` " + field.propertyName());
            }
        }
        for (ValueType type : ValueType.values()) {
            all.add("type " + type.ordinal() + " " + type.name().toLowerCase());
        }
        for (BodyKind kind : BodyKind.values()) {
            all.add("kind " + kind.number() + " |");
        }
        all.add(String.format("selector at most %,d", Selector.MAX_LENGTH));
        return all;
    }

    private static Object value(Field field) {
        try {
            return field.get(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
