package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserCommandTest {
    @TempDir
    private Path dir;

    @BeforeEach
    void writeConfiguration() throws IOException {
        Files.writeString(dir.resolve("server.ini"), "[system]\ndataPath=" + dir.resolve("data") + "\n");
    }

    @Test
    void shouldAddListAndRemoveUsers() throws IOException {
        assertThat(run("geheim\n", "user", "add", "anna").out()).isEqualToIgnoringNewLines("added user anna");
        assertThat(run("", "user", "add", "b c", "--password", "x").exitCode()).isZero();
        assertThat(run("neu\r\n", "user", "add", "anna").out())
                .isEqualToIgnoringNewLines("changed the password of user anna");

        assertThat(run("", "user", "list").out().lines()).containsExactly("anna", "b c");
        assertThat(Files.readString(dir.resolve("data").resolve("users"))).doesNotContain("geheim", "neu");

        assertThat(run("", "user", "remove", "b c").exitCode()).isZero();
        assertThat(run("", "user", "list").out().lines()).containsExactly("anna");
    }

    @Test
    void shouldSayWhatIsWrong() {
        assertThat(run("", "user", "add", "anna").err()).contains("no password was given");
        assertThat(run("\n", "user", "add", "anna").exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run("x\n", "user", "add", " ").exitCode()).isEqualTo(ExitCode.USAGE);
        CommandRun unknown = run("", "user", "remove", "nobody");
        assertThat(unknown.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(unknown.err()).startsWith("metaq: there is no user nobody in ");
        assertThat(run("", "user", "list").out()).isEmpty();
    }

    private CommandRun run(String input, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--config", dir.resolve("server.ini").toString()));
        return CommandRun.withInput(input.getBytes(StandardCharsets.UTF_8), all.toArray(String[]::new));
    }
}
