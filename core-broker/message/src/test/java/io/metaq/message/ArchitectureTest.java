package io.metaq.message;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.File;
import org.junit.jupiter.api.Test;

/** What this module may know: bytes and values. No library, files, threads or clocks, and no other module. */
class ArchitectureTest {
    private static final ArchRule ONLY_BYTES_AND_VALUES = classes()
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                    "",
                    "io.metaq.message",
                    "java.lang..",
                    "java.nio",
                    "java.nio.charset",
                    "java.util",
                    "java.util.function",
                    "java.util.regex",
                    "java.util.stream",
                    "org.jspecify.annotations"));

    private static final ArchRule NO_THREADS =
            noClasses().should().dependOnClassesThat().belongToAnyOf(Thread.class, Runnable.class);

    private final JavaClasses module = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.metaq.message");

    @Test
    void shouldKnowOnlyBytesAndValues() {
        ONLY_BYTES_AND_VALUES.check(module);
    }

    @Test
    void shouldHaveNoThreads() {
        NO_THREADS.check(module);
    }

    @Test
    void shouldCatchPlantedViolation() {
        JavaClasses planted = new ClassFileImporter().importClasses(Planted.class);
        for (ArchRule rule : new ArchRule[] {ONLY_BYTES_AND_VALUES, NO_THREADS}) {
            assertThatThrownBy(() -> rule.check(planted))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("Planted");
        }
    }

    /** Breaks the rules, to show that they hold. */
    static final class Planted {
        final Thread thread = new Thread("planted");
        final File file = new File("planted");
    }
}
