package io.metaq.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The document and the code say the same: nothing is in one that is not in the other. */
class ProtocolDocumentTest {
    private final String document;

    ProtocolDocumentTest() throws IOException {
        document = Files.readString(find());
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
    void shouldDescribeEveryRequestVerbAndNoOther() {
        String commands =
                document.substring(document.indexOf("\n## Commands"), document.indexOf("\n## Consumer groups"));
        Set<String> requests = Arrays.stream(Verb.values())
                .filter(verb -> !verb.isReply())
                .map(Verb::word)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(all("(?m)^### (.*)$", commands)).isEqualTo(requests);
    }

    @Test
    void shouldListEveryCodeAndNoOther() {
        Set<String> rows = all("(?m)^\\| (\\d{3} \\| [A-Z_]+ \\|.*)$", document);
        assertThat(rows).hasSize(Status.values().length);
        for (Status status : Status.values()) {
            assertThat(rows).as("%s", status).anySatisfy(row -> {
                String[] cells = row.split(" *\\| *");
                assertThat(cells[0]).isEqualTo(String.valueOf(status.code()));
                assertThat(cells[1]).isEqualTo(status.name());
                assertThat(cells[3].equals("yes")).isEqualTo(status.retriable());
                assertThat(cells[4]).startsWith(status.actor().name().toLowerCase());
            });
        }
    }

    @Test
    void shouldListEveryOperationWithItsOptionsAndNoOther() {
        Pattern usage = Pattern.compile("(?m)^(topic|group|subscription|tx) ([a-z]+) +(?:NAME|GLOB|KEY|G) OPQ(.*)$");
        Set<String> listed = new TreeSet<>();
        for (Matcher line = usage.matcher(document); line.find(); ) {
            Verb family = Verb.valueOf(line.group(1).toUpperCase());
            AdminOperation operation = AdminOperation.of(family, line.group(2));
            assertThat(operation).as(line.group()).isNotNull();
            listed.add(operation.name());
            Set<String> options = all("([a-z-]+)=", line.group(3));
            if (!operation.options().isEmpty() || options.isEmpty()) {
                assertThat(options).as(line.group()).isEqualTo(new TreeSet<>(operation.options()));
            }
        }
        assertThat(listed)
                .isEqualTo(Arrays.stream(AdminOperation.values())
                        .map(Enum::name)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void shouldNameEveryStepOfTransaction() {
        for (Request.Transaction.Step step : Request.Transaction.Step.values()) {
            assertThat(document).contains(step.name());
        }
    }

    @Test
    void shouldExplainEveryKindOfAttachmentAndNoOther() {
        Set<String> kinds =
                Arrays.stream(AttachKind.values()).map(AttachKind::word).collect(Collectors.toSet());
        String table =
                document.substring(document.indexOf("\n### Kinds"), document.indexOf("\n### What comes unasked"));
        assertThat(all("(?m)^\\| `([a-z-]+)` \\|", table)).isEqualTo(new TreeSet<>(kinds));
        assertThat(all("kind=([a-z|-]+)\\|browse ", document))
                .singleElement()
                .satisfies(
                        list -> assertThat((list + "|browse").split("\\|")).containsExactlyInAnyOrderElementsOf(kinds));
    }

    @Test
    void shouldStateTheLimits() {
        assertThat(document)
                .contains(String.format("%,d bytes (`maxLineSize`)", Limits.DEFAULT.maxLineBytes()))
                .contains(String.format("%,d bytes (`maxMessageSize`)", Limits.DEFAULT.maxBodyBytes()));
    }

    @Test
    void shouldGiveTheLengthsOfItsExamplesRight() {
        List<String> wrong = Pattern.compile("(?m)^result \\d+ (\\d+) \\d+\n([^\n`→][^\n`]*)\n(?=→|```)")
                .matcher(document)
                .results()
                .filter(m -> Integer.parseInt(m.group(1)) != m.group(2).length())
                .map(m -> m.group())
                .toList();
        assertThat(wrong).isEmpty();
    }

    private static Set<String> all(String regex, String text) {
        return Pattern.compile(regex)
                .matcher(text)
                .results()
                .map(m -> m.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
