package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.Settings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of the README, as a reader would run it. */
class ReadmeJmsTest {
    private static final Pattern PROGRAM = Pattern.compile("```java\n(import .*?)```", Pattern.DOTALL);

    @TempDir
    private Path dir;

    @Test
    void shouldDoWhatTheReadmeSays() throws Exception {
        try (Broker broker = Broker.start(BrokerConfig.builder()
                .dataPath(dir.resolve("data"))
                .serverPort(0)
                .set(Settings.JOURNAL_SEGMENT_SIZE, 34 << 20)
                .set(Settings.DISK_WATERMARK_BYTES, 0L)
                .build())) {

            String said = run(program("127.0.0.1:" + broker.port(), dir), System.getProperty("java.class.path"));

            assertThat(said.lines()).contains("received hello");
        }
    }

    /** Writes the program of the README to a file, with the broker's real address. */
    static Path program(String address, Path dir) throws IOException {
        Matcher program = PROGRAM.matcher(Files.readString(Path.of("..", "README.md")));
        assertThat(program.find()).as("a program in the README").isTrue();
        return Files.writeString(dir.resolve("HelloJms.java"), program.group(1).replace("127.0.0.1:8123", address));
    }

    /** Runs it from its source, and returns what it printed. */
    static String run(Path program, String classPath) throws IOException, InterruptedException {
        Process java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classPath,
                        program.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(java.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(java.exitValue()).as(said).isZero();
        return said;
    }
}
