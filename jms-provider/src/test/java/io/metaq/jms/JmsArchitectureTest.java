package io.metaq.jms;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.metaq.jms.planted.PlantedViolation;
import org.junit.jupiter.api.Test;

/** Who may know whom. */
class JmsArchitectureTest {

    private static final JavaClasses PROVIDER = new ClassFileImporter()
            .importUrl(MetaQConnectionFactory.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation());

    private static final ArchRule ONLY_CLIENT_AND_API = classes()
            .that()
            .resideInAPackage("io.metaq.jms..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.metaq.jms..",
                    "io.metaq.client",
                    "io.metaq.client.subscription",
                    "io.metaq.message",
                    "io.metaq.protocol",
                    "io.metaq.xa",
                    "jakarta.jms",
                    "java..",
                    "javax.naming..",
                    "javax.transaction.xa",
                    "org.slf4j",
                    "org.jspecify.annotations");

    @Test
    void shouldKnowTheClientAndTheApiOnly() {
        ONLY_CLIENT_AND_API.check(PROVIDER);
    }

    @Test
    void shouldTakeOnlyValuesFromTheProtocol() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveNameMatching("io\\.metaq\\.protocol\\.(?!Ranges|AttachKind|TransactionKey).*")
                .check(PROVIDER);
    }

    @Test
    void shouldKeepPackagesFreeOfCycles() {
        slices().matching("io.metaq.(**)").should().beFreeOfCycles().check(PROVIDER);
    }

    @Test
    void shouldCatchAPlantedViolation() {
        JavaClasses planted = new ClassFileImporter().importClasses(PlantedViolation.class);

        assertThatThrownBy(() -> ONLY_CLIENT_AND_API.check(planted))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("PlantedViolation");
    }
}
