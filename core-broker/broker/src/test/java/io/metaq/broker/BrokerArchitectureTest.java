package io.metaq.broker;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the packages of the broker may know of each other and of libraries. */
class BrokerArchitectureTest {
    private static final ArchRule ONLY_ONE_PACKAGE_KNOWS_ZOOKEEPER = noClasses()
            .that()
            .resideOutsideOfPackage("io.metaq.broker.zookeeper..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.curator..", "org.apache.zookeeper..");

    private static JavaClasses production() {
        return new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.metaq.broker");
    }

    @Test
    void shouldKnowZooKeeperInOnePackage() {
        ONLY_ONE_PACKAGE_KNOWS_ZOOKEEPER.check(production());
    }

    @Test
    void shouldNotUseTheClient() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.metaq.client..")
                .check(production());
    }

    @Test
    void shouldKeepGroupsAndStoreFreeOfTheNetwork() {
        noClasses()
                .that()
                .resideInAnyPackage("io.metaq.broker.group..", "io.metaq.broker.store..", "io.metaq.broker.stats..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty..", "io.metaq.broker.net..", "io.metaq.protocol..")
                .check(production());
    }

    @Test
    void shouldHaveNoPackageCycles() {
        SlicesRuleDefinition.slices()
                .matching("io.metaq.broker.(*)..")
                .should()
                .beFreeOfCycles()
                .check(production());
    }

    @Test
    void shouldCatchAPlantedViolation() {
        JavaClasses planted = new ClassFileImporter().importClasses(Planted.class);
        assertThat(ONLY_ONE_PACKAGE_KNOWS_ZOOKEEPER.evaluate(planted).hasViolation())
                .isTrue();
    }

    static final class Planted {
        @Nullable
        ZooKeeper zooKeeper;
    }
}
