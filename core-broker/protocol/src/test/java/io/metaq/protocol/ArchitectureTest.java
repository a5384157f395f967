package io.metaq.protocol;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.UncheckedBooleanSupplier;
import java.io.ByteArrayOutputStream;
import java.io.Serializable;
import org.junit.jupiter.api.Test;

/** What this module may know: bytes and values. No sockets, files, threads or clocks, and no other module. */
class ArchitectureTest {
    private static final ArchRule ONLY_BYTES_AND_VALUES = classes()
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                            "",
                            "io.metaq.protocol..",
                            "io.netty.buffer",
                            "io.netty.channel",
                            "java.lang..",
                            "java.nio",
                            "java.nio.charset",
                            "java.util",
                            "java.util.function",
                            "java.util.regex",
                            "java.util.stream",
                            "java.util.zip",
                            "org.jspecify.annotations")
                    .or(belongToAnyOf(
                            ByteArrayOutputStream.class,
                            ByteToMessageDecoder.class,
                            Serializable.class,
                            UncheckedBooleanSupplier.class)));

    private static final ArchRule NO_THREADS =
            noClasses().should().dependOnClassesThat().belongToAnyOf(Thread.class, Runnable.class, System.class);

    private static final ArchRule VALUES_DO_NOT_KNOW_THE_CODEC = noClasses()
            .that()
            .resideInAPackage("io.metaq.protocol")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.metaq.protocol.codec..", "io.netty.channel..");

    private final JavaClasses module = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.metaq.protocol");

    @Test
    void shouldKnowOnlyBytesAndValues() {
        ONLY_BYTES_AND_VALUES.check(module);
    }

    @Test
    void shouldHaveNoThreadsAndNoClock() {
        NO_THREADS.check(module);
    }

    @Test
    void shouldKeepValuesApartFromTheirBytes() {
        VALUES_DO_NOT_KNOW_THE_CODEC.check(module);
    }

    @Test
    void shouldCatchPlantedViolation() {
        JavaClasses planted = new ClassFileImporter().importClasses(Planted.class);
        for (ArchRule rule : new ArchRule[] {ONLY_BYTES_AND_VALUES, NO_THREADS, VALUES_DO_NOT_KNOW_THE_CODEC}) {
            assertThatThrownBy(() -> rule.check(planted))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("Planted");
        }
    }

    /** Breaks the rules, to show that they hold. */
    static final class Planted {
        final Thread thread = new Thread("planted");
        final EmbeddedChannel channel = new EmbeddedChannel();
    }
}
