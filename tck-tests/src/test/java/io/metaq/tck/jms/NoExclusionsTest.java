package io.metaq.tck.jms;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Conformance is shown by whole suites: nothing may leave a test out, whatever the way. */
class NoExclusionsTest {
    private static final Pattern IN_BUILD_FILES =
            Pattern.compile("<excludes?>|<excludesFile>|<excludedGroups>|<excludedEnvironments>"
                    + "|<groups>|<skipTests>|<skipITs>|maven\\.test\\.skip|<testFailureIgnore>|<rerunFailingTestsCount>|<test>"
                    + "|<include>!|<it\\.test>");
    private static final Pattern IN_TESTS = Pattern.compile(
            "@Disabled|@EnabledIf|@Ignore\\b|Assumptions|assumeT|assumeF|assumingThat|TestAbortedException|PostDiscoveryFilter");
    private static final Pattern IN_SETTINGS = Pattern.compile("deactivate|filter|exclude");

    @Test
    void shouldNotFindAnExclusionInABuildFile() throws IOException {
        List<Path> files = files(Path.of(""), "pom.xml");
        files.add(Path.of("..", "pom.xml"));

        assertThat(files)
                .hasSizeGreaterThan(3)
                .allSatisfy(file -> assertThat(Files.readString(file)).doesNotContainPattern(IN_BUILD_FILES));
    }

    @Test
    void shouldNotFindADisabledTest() throws IOException {
        List<Path> files = Stream.of(
                        Path.of("src/test/java/io/metaq/tck/jms"), Path.of("joram"), Path.of("jakarta-tck"))
                .flatMap(folder -> files(folder, ".java").stream())
                .filter(file -> !file.endsWith("NoExclusionsTest.java"))
                .toList();

        assertThat(files)
                .hasSizeGreaterThan(30)
                .allSatisfy(file -> assertThat(Files.readString(file)).doesNotContainPattern(IN_TESTS));
    }

    @Test
    void shouldNotFindAnExclusionInTheSettingsOfJunit() throws IOException {
        assertThat(files(Path.of(""), "junit-platform.properties"))
                .allSatisfy(file -> assertThat(Files.readString(file)).doesNotContainPattern(IN_SETTINGS));
        assertThat(files(Path.of(""), "exclude")).isEmpty();
    }

    private static List<Path> files(Path folder, String nameEnd) {
        try (Stream<Path> files = Files.walk(folder)) {
            return new java.util.ArrayList<>(
                    files.filter(file -> file.getFileName().toString().endsWith(nameEnd))
                            .filter(file -> !file.toString().contains("target"))
                            .toList());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
