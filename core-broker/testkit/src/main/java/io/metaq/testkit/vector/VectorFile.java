package io.metaq.testkit.vector;

import io.metaq.testkit.vector.ByteVector.Exchange;
import io.metaq.testkit.vector.ByteVector.Mark;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads vector files. A line that begins with {@code ##} opens a vector, {@code >} is a piece sent to the broker, {@code <} a reply,
 * {@code +} goes on with the line before, {@code !} sets a mark, {@code #} is a comment of the file; anything else is prose.
 */
public final class VectorFile {
    private final String file;
    private final List<ByteVector> vectors = new ArrayList<>();
    private final StringBuilder meaning = new StringBuilder();
    private final List<String> sent = new ArrayList<>();
    private final List<String> expected = new ArrayList<>();
    private final List<Exchange> exchanges = new ArrayList<>();
    private final Set<Mark> marks = EnumSet.noneOf(Mark.class);
    private List<String> last = sent;
    private String title = "";
    private int titleLine;

    private VectorFile(String file) {
        this.file = file;
    }

    /** The vectors of this repository, for a test that runs anywhere in it. */
    public static Path repositoryDirectory() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path vectors = at.resolve("ruby-python-protocol-spec").resolve("vectors");
            if (Files.isDirectory(vectors)) {
                return vectors;
            }
        }
        throw new IllegalStateException(
                "no ruby-python-protocol-spec/vectors above " + Path.of("").toAbsolutePath());
    }

    /** All vectors of a directory's {@code .txt} files, in the order of the names and then of the lines. */
    public static List<ByteVector> readAll(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            List<ByteVector> all = new ArrayList<>();
            for (Path file :
                    files.filter(f -> f.toString().endsWith(".txt")).sorted().toList()) {
                all.addAll(read(file));
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static List<ByteVector> read(Path path) throws IOException {
        VectorFile file = new VectorFile(String.valueOf(path.getFileName()));
        List<String> lines = Files.readAllLines(path);
        for (int i = 0; i < lines.size(); i++) {
            try {
                file.line(lines.get(i), i + 1);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(path + ":" + (i + 1) + ": " + e.getMessage(), e);
            }
        }
        file.endVector();
        return file.vectors;
    }

    private void line(String line, int number) {
        if (line.startsWith("## ")) {
            endVector();
            title = line.substring(3);
            titleLine = number;
        } else if (line.startsWith("> ")) {
            if (!expected.isEmpty()) {
                endExchange();
            }
            last = sent;
            sent.add(line.substring(2));
        } else if (line.startsWith("< ")) {
            last = expected;
            expected.add(line.substring(2));
        } else if (line.startsWith("+ ")) {
            last.set(last.size() - 1, last.get(last.size() - 1) + line.substring(2));
        } else if (line.startsWith("! ")) {
            marks.add(Mark.valueOf(line.substring(2).strip().toUpperCase(Locale.ROOT)));
        } else if (!line.startsWith("#") && !line.isBlank()) {
            meaning.append(line).append('\n');
        }
    }

    private void endExchange() {
        exchanges.add(new Exchange(
                sent.stream().map(Template::parse).toList(),
                expected.stream().map(Template::parse).toList()));
        sent.clear();
        expected.clear();
    }

    private void endVector() {
        if (!sent.isEmpty() || !expected.isEmpty()) {
            endExchange();
        }
        if (!exchanges.isEmpty()) {
            vectors.add(new ByteVector(
                    file, titleLine, title, meaning.toString(), List.copyOf(exchanges), Set.copyOf(marks)));
        }
        exchanges.clear();
        marks.clear();
        meaning.setLength(0);
    }
}
