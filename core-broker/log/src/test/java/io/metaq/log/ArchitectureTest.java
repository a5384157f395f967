package io.metaq.log;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import io.metaq.log.planted.OpensAFileItself;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.metaq.log");

    private static final ArchRule ONLY_THE_JDK = ArchRuleDefinition.classes()
            .that()
            .resideInAPackage("io.metaq.log..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("io.metaq.log..", "java..", "org.jspecify..");

    /** Elsewhere a channel is only handed on, for sending from file to socket. */
    private static final ArchRule ONE_DOOR_TO_THE_DISK = noClasses()
            .that()
            .resideOutsideOfPackage("io.metaq.log.file")
            .should()
            .callMethodWhere(com.tngtech.archunit.core.domain.JavaCall.Predicates.target(
                    com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner(
                            com.tngtech.archunit.base.DescribedPredicate.describe(
                                    "a file of the JDK",
                                    owner -> owner.isAssignableTo(FileChannel.class)
                                            || owner.isEquivalentTo(Files.class)
                                            || owner.getPackageName().equals("java.io")
                                                    && owner.getSimpleName().startsWith("File")))));

    @Test
    void shouldUseOnlyTheJdk() {
        ONLY_THE_JDK.check(CLASSES);
    }

    @Test
    void shouldHaveNoPackageCycles() {
        slices().matching("io.metaq.log.(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void shouldTouchTheDiskThroughOneDoor() {
        ONE_DOOR_TO_THE_DISK.check(CLASSES);
    }

    @Test
    void shouldCatchAPlantedViolation() {
        JavaClasses planted = new ClassFileImporter().importClasses(OpensAFileItself.class);
        assertThat(ONE_DOOR_TO_THE_DISK.evaluate(planted).hasViolation()).isTrue();
        assertThat(ONLY_THE_JDK.evaluate(planted).hasViolation()).isTrue();
    }
}
