package io.metaq.xa;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** Who may know whom. */
class XaArchitectureTest {

    private static final ArchRule ONLY_THE_CLIENT = classes()
            .that()
            .resideInAPackage("io.metaq.xa")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.metaq.xa",
                    "io.metaq.client",
                    "io.metaq.client.subscription",
                    "io.metaq.protocol",
                    "java..",
                    "javax.transaction.xa",
                    "org.slf4j",
                    "org.jspecify.annotations");

    @Test
    void shouldKnowTheClientOnly() {
        JavaClasses xa = new ClassFileImporter()
                .importUrl(MetaqXaResource.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation());
        ONLY_THE_CLIENT.check(xa);
    }

    @Test
    void shouldCatchAPlantedViolation() {
        JavaClasses planted = new ClassFileImporter().importClasses(XaArchitectureTest.class);
        assertThatThrownBy(() -> ONLY_THE_CLIENT.check(planted))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("XaArchitectureTest");
    }
}
