package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FilePiecesTest {
    @Test
    void shouldKeepTheLineFeedWithItsLine() throws IOException {
        assertThat(pieces("a\r\n\nb", 100)).containsExactly("a\r\n", "\n", "b");
    }

    @Test
    void shouldFindNothingInAnEmptyFile() throws IOException {
        assertThat(pieces("", 100)).isEmpty();
    }

    @Test
    void shouldCutWhatIsTooLongForAMessage() throws IOException {
        assertThat(pieces("abcdefg\nh\n", 3)).containsExactly("abc", "def", "g\n", "h\n");
    }

    @Test
    void shouldGiveBackEveryByte() throws IOException {
        byte[] input = new byte[2_000_000];
        new Random(7).nextBytes(input);
        FilePieces pieces = new FilePieces(new ByteArrayInputStream(input), 700);
        ByteArrayOutputStream joined = new ByteArrayOutputStream();

        for (byte[] piece = pieces.next(); piece != null; piece = pieces.next()) {
            assertThat(piece.length).isBetween(1, 700);
            joined.write(piece);
        }

        assertThat(joined.toByteArray()).isEqualTo(input);
    }

    private static List<String> pieces(String text, int max) throws IOException {
        FilePieces pieces = new FilePieces(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), max);
        List<String> all = new ArrayList<>();
        for (byte[] piece = pieces.next(); piece != null; piece = pieces.next()) {
            all.add(new String(piece, StandardCharsets.UTF_8));
        }
        return all;
    }
}
