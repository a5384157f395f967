package io.metaq.benchmarks.driver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DriverTest {

    private static String[] answers(Driver.Work work, String jobs) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream log = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8);
        new Driver(work, new BufferedReader(new StringReader(jobs)), new PrintStream(out, true, UTF_8), log).run();
        return out.toString(UTF_8).split("\\R");
    }

    @Test
    void shouldAnswerEachJobWithOneLine() throws IOException {
        String[] lines = answers(job -> Map.of("messages", 7, "topic", job.topic()), "topic=a\n\ntopic=b\n");
        assertThat(lines).containsExactly("@ready", "@figures messages=7 topic=a", "@figures messages=7 topic=b");
    }

    @Test
    void shouldGoOnAfterAFailedJob() throws IOException {
        String[] lines = answers(job -> Map.of("size", job.bodyBytes()), "nonsense\nsize=5\n");
        assertThat(lines).hasSize(3);
        assertThat(lines[1]).startsWith("@failed ").contains("nonsense");
        assertThat(lines[2]).isEqualTo("@figures size=5");
    }

    @Test
    void shouldReadProcessorTimeOfAProcessWhoseNameHoldsBlanksAndParentheses() {
        String stat = "42 (a (b) c) S 1 42 42 0 -1 4194560 1 2 3 4 250 50 0 0 20 0 1 0 100 0 0";
        assertThat(ProcessorTime.parse(stat)).isEqualTo(3.0);
    }
}
