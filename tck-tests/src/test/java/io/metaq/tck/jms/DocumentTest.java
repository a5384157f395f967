package io.metaq.tck.jms;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What {@code docs/jms.md} claims is shown by tests that exist. */
class DocumentTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "jms.md");
    private static final Path SOURCES = Path.of("src", "test", "java");
    private static final List<Path> OTHER_SOURCES =
            List.of(Path.of("..", "jms-provider", "src", "test", "java"), Path.of("..", "xa", "src", "test", "java"));
    private static final Pattern METHOD = Pattern.compile("\\bvoid (\\w+)\\(");
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)#(\\w+)`");
    private static final Pattern SECTION_ROW = Pattern.compile("(?m)^\\| ([0-9.]+) \\|.*$");

    @Test
    void shouldNameTestsThatExist() throws IOException {
        List<MatchResult> named =
                TEST.matcher(Files.readString(DOCUMENT)).results().toList();

        assertThat(named)
                .hasSizeGreaterThan(100)
                .allSatisfy(test -> assertThat(names(test.group(1))).contains(test.group(2)));
    }

    @Test
    void shouldShowEachSectionByATestThatIsAboutIt() throws IOException {
        List<MatchResult> rows =
                SECTION_ROW.matcher(Files.readString(DOCUMENT)).results().toList();

        assertThat(rows).extracting(row -> row.group(1)).containsExactlyInAnyOrderElementsOf(CoverageTest.SECTIONS);
        assertThat(rows).allSatisfy(row -> {
            List<MatchResult> tests = TEST.matcher(row.group())
                    .results()
                    .filter(test -> !methods(test.group(1)).isEmpty())
                    .toList();
            assertThat(tests)
                    .isNotEmpty()
                    .allSatisfy(test ->
                            assertThat(sections(test.group(1), test.group(2))).contains(row.group(1)));
        });
    }

    private static List<String> sections(String type, String name) {
        return methods(type).stream()
                .filter(method -> method.getName().equals(name))
                .flatMap(method ->
                        Arrays.stream(method.getAnnotation(Covers.class).sections()))
                .toList();
    }

    /** What the methods of a test class are called: of one of this module, else of the provider's own. */
    private static List<String> names(String simpleName) {
        List<Method> methods = methods(simpleName);
        return methods.isEmpty()
                ? OTHER_SOURCES.stream()
                        .flatMap(sources -> written(sources, simpleName).stream())
                        .toList()
                : methods.stream().map(Method::getName).toList();
    }

    private static List<String> written(Path sources, String simpleName) {
        try (Stream<Path> files = Files.walk(sources)) {
            Path source = files.filter(file -> file.endsWith(simpleName + ".java"))
                    .findFirst()
                    .orElse(null);
            return source == null
                    ? List.of()
                    : METHOD.matcher(Files.readString(source))
                            .results()
                            .map(method -> method.group(1))
                            .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The methods of a test class of this module, wherever it is; none if there is no such class. */
    private static List<Method> methods(String simpleName) {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(file -> file.endsWith(simpleName + ".java"))
                    .flatMap(file -> Arrays.stream(load(file).getDeclaredMethods()))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Class<?> load(Path source) {
        String path = SOURCES.relativize(source).toString();
        try {
            return Class.forName(
                    path.substring(0, path.length() - ".java".length()).replace('/', '.'));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
