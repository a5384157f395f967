package io.metaq.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The examples of docs/log-format.md are what the code writes. */
class LogFormatDocumentTest {

    @Test
    void shouldWriteTheDocumentedSegmentHeader() throws Exception {
        assertThat(documented("segment header, first 40 bytes"))
                .isEqualTo(io.metaq.log.journal.FormatExamples.segmentHeader());
    }

    @Test
    void shouldWriteTheDocumentedRecord() throws Exception {
        assertThat(documented("record")).isEqualTo(io.metaq.log.journal.FormatExamples.record());
    }

    @Test
    void shouldWriteTheDocumentedTimeIndexEntry() throws Exception {
        assertThat(documented("time index entry, time 1000, offset 2000, 30 messages before"))
                .isEqualTo(io.metaq.log.partition.FormatExamples.timeIndexEntry());
    }

    /** The hexadecimal digits of an example, without spaces. */
    private static String documented(String example) throws Exception {
        Path file = Path.of("docs/log-format.md");
        for (Path up = Path.of("").toAbsolutePath(); up != null && !Files.exists(file); up = up.getParent()) {
            file = up.resolve("docs/log-format.md");
        }
        String text = Files.readString(file);
        int at = text.indexOf("<!-- example: " + example + " -->");
        assertThat(at).as(example).isNotNegative();
        int from = text.indexOf("```", at) + 3;
        return text.substring(from, text.indexOf("```", from)).replaceAll("\\s", "");
    }
}
