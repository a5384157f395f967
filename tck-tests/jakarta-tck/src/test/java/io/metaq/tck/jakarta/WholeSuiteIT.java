package io.metaq.tck.jakarta;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

/** Reads the reports of the run before: a suite that lost tests on the way must not pass. */
class WholeSuiteIT {
    private static final int TESTS_OF_THE_SUITE = Integer.getInteger("tck.tests");

    @Test
    void shouldHaveRunEveryTestOfTheSuite() throws Exception {
        List<Element> suites = suites();

        assertThat(sum(suites, "tests")).isEqualTo(TESTS_OF_THE_SUITE);
        assertThat(sum(suites, "skipped")).isZero();
        assertThat(sum(suites, "failures") + sum(suites, "errors")).isZero();
    }

    private static int sum(List<Element> suites, String attribute) {
        return suites.stream()
                .mapToInt(suite -> Integer.parseInt(suite.getAttribute(attribute)))
                .sum();
    }

    private static List<Element> suites() throws Exception {
        var builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        List<Path> reports = reports();
        List<Element> suites = new ArrayList<>();
        for (Path report : reports) {
            suites.add(builder.parse(report.toFile()).getDocumentElement());
        }
        return suites;
    }

    private static List<Path> reports() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("target", "failsafe-reports"))) {
            return files.filter(file -> file.getFileName().toString().matches("TEST-com\\.sun\\..*\\.xml"))
                    .toList();
        }
    }
}
