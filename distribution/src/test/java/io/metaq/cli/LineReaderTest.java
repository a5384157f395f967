package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineReaderTest {
    @Test
    void shouldSplitAtLineFeedsOnly() throws IOException {
        assertThat(lines("a\r\nb\rc\n\nd")).containsExactly("a\r", "b\rc", "", "d");
    }

    @Test
    void shouldFindNoLineInAnEmptyInput() throws IOException {
        assertThat(lines("")).isEmpty();
    }

    @Test
    void shouldNotInventALineAfterTheLastLineFeed() throws IOException {
        assertThat(lines("a\n")).containsExactly("a");
        assertThat(lines("\n")).containsExactly("");
    }

    @Test
    void shouldRefuseALineThatIsTooLong() {
        LineReader reader = new LineReader(new ByteArrayInputStream(new byte[1 << 20]), 1000);

        assertThatThrownBy(reader::next).hasMessageContaining("longer than 1000 bytes");
    }

    /** Whatever the bytes are, and wherever the buffer's end falls: the lines are the input. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldGiveBackEveryByte(int seed) throws IOException {
        byte[] input = new byte[1_000_000];
        new Random(seed).nextBytes(input);
        LineReader reader = new LineReader(new ByteArrayInputStream(input), input.length);
        java.io.ByteArrayOutputStream joined = new java.io.ByteArrayOutputStream();

        for (byte[] line = reader.next(); line != null; line = reader.next()) {
            joined.write(line);
            if (reader.endedWithLineFeed()) {
                joined.write('\n');
            }
        }

        assertThat(joined.toByteArray()).isEqualTo(input);
    }

    private static List<String> lines(String text) throws IOException {
        LineReader reader = new LineReader(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)), 1000);
        List<String> lines = new ArrayList<>();
        for (byte[] line = reader.next(); line != null; line = reader.next()) {
            lines.add(new String(line, StandardCharsets.ISO_8859_1));
        }
        return lines;
    }
}
