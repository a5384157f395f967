package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#]+)");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "README.md",
                "CONTRIBUTING.md",
                "docs/command-line.md",
                "docs/configuration.md",
                "docs/http.md",
                "docs/jms.md",
                "docs/transactions.md"
            })
    void shouldLinkOnlyToWhatIsThere(String document) throws IOException {
        Path file = ROOT.resolve(document);
        List<String> links = LINK.matcher(Files.readString(file))
                .results()
                .map((MatchResult link) -> link.group(1))
                .toList();

        assertThat(links)
                .allSatisfy(link -> assertThat(file.resolveSibling(link)).exists());
    }

    @Test
    void shouldExplainEveryCommand() throws IOException {
        String document = Files.readString(ROOT.resolve("docs/command-line.md"));

        for (String command :
                Metaq.commandLine(Terminal.ofProcess()).getSubcommands().keySet()) {
            assertThat(document).contains("`" + command + "`");
        }
    }
}
