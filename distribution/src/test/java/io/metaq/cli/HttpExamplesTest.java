package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.Settings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** What the document on HTTP says one can type does what it says, against a broker. */
class HttpExamplesTest {
    private static final Pattern SESSION = Pattern.compile("(?ms)^```\n(\\$ curl .*?)^```");

    /** Ids are examples, and dots stand for what varies or is too much to print. */
    private static final Pattern VARYING = Pattern.compile("(?<=\"|ID:)4711(?=\")|…");

    @TempDir
    private Path dir;

    /** A command, over as many lines as it takes, and what it prints. */
    private record Example(String command, String output) {}

    static boolean curlIsInstalled() {
        return List.of(System.getenv("PATH").split(":")).stream()
                .anyMatch(place -> Files.isExecutable(Path.of(place, "curl")));
    }

    @Test
    @EnabledIf(value = "curlIsInstalled", disabledReason = "there is no curl on this machine")
    void shouldAnswerWhatIsTypedAsTheDocumentSays() throws Exception {
        List<Example> examples = examples(Files.readString(Path.of("..", "docs", "http.md")));
        assertThat(examples).hasSizeGreaterThan(8);
        try (Broker broker = Broker.start(BrokerConfig.builder()
                .dataPath(dir)
                .serverPort(0)
                .set(Settings.ADMIN_PORT, 0)
                .set(Settings.DISK_WATERMARK_BYTES, 0L)
                .build())) {
            for (Example example : examples) {
                String command = example.command().replace("127.0.0.1:8124", "127.0.0.1:" + broker.adminPort());
                assertThat(run(command)).as(command).matches(form(example.output()));
            }
        }
    }

    private static List<Example> examples(String document) {
        List<Example> examples = new ArrayList<>();
        SESSION.matcher(document).results().map(found -> found.group(1)).forEach(session -> {
            for (String part : session.split("(?m)^\\$ ")) {
                if (!part.isEmpty()) {
                    // The answers are documents on one line; what stands before them is the command.
                    int output = outputOf(part);
                    examples.add(new Example(
                            part.substring(0, output).strip(),
                            part.substring(output).strip()));
                }
            }
        });
        return examples;
    }

    /** Where the command ends: at the end of the first line at which all its quotes are closed. */
    private static int outputOf(String part) {
        int quotes = 0;
        for (int i = 0; i < part.length(); i++) {
            if (part.charAt(i) == '\'') {
                quotes++;
            } else if (part.charAt(i) == '\n' && quotes % 2 == 0) {
                return i + 1;
            }
        }
        return part.length();
    }

    private static String run(String command) throws Exception {
        Process process = new ProcessBuilder("bash", "-c", command)
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output.strip();
    }

    private static Pattern form(String output) {
        StringBuilder form = new StringBuilder();
        int at = 0;
        for (MatchResult varying : VARYING.matcher(output).results().toList()) {
            form.append(Pattern.quote(output.substring(at, varying.start())));
            form.append(varying.group().equals("…") ? ".*" : "\\d+");
            at = varying.end();
        }
        return Pattern.compile(form + Pattern.quote(output.substring(at)), Pattern.DOTALL);
    }
}
