package io.metaq.state;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.net.Socket;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** State is pure: no sockets, no threads, no clock of its own, no library but the log and the message format. */
class StateArchitectureTest {
    private static final ArchRule USES_ONLY_THE_LOG = classes()
            .that()
            .resideInAPackage("io.metaq.state..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.metaq.state..",
                    "io.metaq.log..",
                    "io.metaq.message..",
                    "org.jspecify.annotations..",
                    "java.io..",
                    "java.lang..",
                    "java.nio..",
                    "java.time", // to write times; what time it is, it is told
                    "java.util..",
                    "java.net")
            .andShould()
            .onlyDependOnClassesThat()
            .doNotHaveFullyQualifiedName("java.net.Socket")
            .andShould()
            .onlyDependOnClassesThat()
            .doNotHaveFullyQualifiedName("java.lang.Thread")
            .andShould()
            .onlyDependOnClassesThat()
            .doNotHaveFullyQualifiedName("java.time.Clock");

    private static final ArchRule ASKS_NO_CLOCK = noClasses()
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime");

    private static JavaClasses production() {
        return new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.metaq.state");
    }

    @Test
    void shouldUseOnlyTheLog() {
        USES_ONLY_THE_LOG.check(production());
    }

    @Test
    void shouldAskNoClock() {
        ASKS_NO_CLOCK.check(production());
    }

    @Test
    void shouldHaveNoPackageCycles() {
        SlicesRuleDefinition.slices()
                .matching("io.metaq.state.(*)..")
                .should()
                .beFreeOfCycles()
                .check(production());
    }

    @Test
    void shouldCatchAPlantedViolation() {
        JavaClasses planted = new ClassFileImporter().importClasses(Planted.class);
        assertThat(USES_ONLY_THE_LOG.evaluate(planted).hasViolation()).isTrue();
    }

    static final class Planted {
        Socket socket = new Socket();
    }
}
