package io.metaq.tck.jms;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No rule and no section of the specification is without a test. */
class CoverageTest {
    /** Chapters 3 to 11: the sections that say what a provider has to do. */
    static final List<String> SECTIONS =
            List.of(("3.4.1 3.4.2 3.4.3 3.4.4 3.4.5 3.4.6 3.4.7 3.4.8 3.4.9 3.4.10 3.4.11 3.4.12 3.4.13"
                            + " 3.5.1 3.5.2 3.5.3 3.5.4 3.5.5 3.5.6 3.5.7 3.5.8 3.5.9 3.5.10 3.5.11 3.6 3.7"
                            + " 3.8.1 3.8.1.1 3.8.1.2 3.8.1.3 3.9 3.10 3.11 3.11.1 3.11.2 3.11.3 3.12"
                            + " 4.1.2 4.1.4 4.1.5 4.1.6 4.1.7 4.1.8 4.2.2 4.2.4 4.2.6 4.2.7 4.2.8 4.2.10 4.2.11"
                            + " 5.1 5.2 5.3"
                            + " 6.1.1 6.1.2 6.1.3 6.1.4 6.1.5 6.1.6 6.1.7 6.1.8"
                            + " 6.2.1 6.2.2 6.2.3 6.2.4 6.2.5 6.2.6 6.2.7 6.2.9 6.2.10 6.2.11 6.2.12 6.2.13 6.2.14 6.2.15"
                            + " 7.1 7.2 7.3.1 7.3.2 7.3.3 7.3.4 7.3.6 7.3.7 7.3.8 7.3.9 7.4 7.5 7.6 7.7 7.8 7.9 7.10"
                            + " 8.1 8.2 8.3.1 8.3.2 8.3.3 8.3.4 8.4 8.5 8.6 8.7 8.8"
                            + " 9.1 9.2 10.2 10.3 11")
                    .split(" "));

    @Test
    void shouldHaveATestForEachRule() throws IOException {
        Set<Integer> covered = tests().flatMap(
                        covers -> Arrays.stream(covers.rules()).boxed())
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(covered)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(ProviderRule.values())
                        .map(ProviderRule::number)
                        .toList());
    }

    @Test
    void shouldHaveATestForEachSection() throws IOException {
        Set<String> covered =
                tests().flatMap(covers -> Arrays.stream(covers.sections())).collect(Collectors.toSet());

        assertThat(covered).containsExactlyInAnyOrderElementsOf(SECTIONS);
    }

    private static Stream<Covers> tests() throws IOException {
        Path folder = Path.of("src", "test", "java", "io", "metaq", "tck", "jms");
        try (Stream<Path> files = Files.list(folder)) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("Test.java"))
                    .map(name -> load(name.substring(0, name.length() - ".java".length())))
                    .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                    .filter(CoverageTest::isTest)
                    .map(method -> method.getAnnotation(Covers.class))
                    .filter(covers -> covers != null)
                    .toList()
                    .stream();
        }
    }

    /** A test by any annotation of JUnit, parameterized ones included. */
    private static boolean isTest(Method method) {
        return Arrays.stream(method.getAnnotations())
                .anyMatch(annotation ->
                        annotation.annotationType().getSimpleName().endsWith("Test"));
    }

    private static Class<?> load(String simpleName) {
        try {
            return Class.forName(CoverageTest.class.getPackageName() + "." + simpleName);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
