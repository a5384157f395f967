package io.metaq.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.metaq.client.planted.PlantedViolation;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Who may know whom, and what an application takes in with the client. */
class ClientArchitectureTest {

    private static final JavaClasses CLIENT = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.metaq.client");

    private static final ArchRule ONLY_ONE_PACKAGE_KNOWS_DATABASES = noClasses()
            .that()
            .resideOutsideOfPackage("io.metaq.client.jdbc..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "javax.sql..");

    @Test
    void shouldKeepZooKeeperInOnePackage() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.metaq.client.zookeeper..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.zookeeper..", "org.apache.curator..", "io.metaq.client.zookeeper..")
                .check(CLIENT);
    }

    @Test
    void shouldKeepDatabasesInOnePackage() {
        ONLY_ONE_PACKAGE_KNOWS_DATABASES.check(CLIENT);
    }

    @Test
    void shouldNotKnowTheBrokersSide() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.metaq.broker..", "io.metaq.log..", "io.metaq.state..")
                .check(CLIENT);
    }

    @Test
    void shouldKeepConnectionsFreeOfTopicsAndPackagesFreeOfCycles() {
        noClasses()
                .that()
                .resideInAPackage("io.metaq.client.net")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.metaq.client")
                .check(CLIENT);
        slices().matching("io.metaq.(**)").should().beFreeOfCycles().check(CLIENT);
    }

    @Test
    void shouldCatchAPlantedViolation() {
        JavaClasses planted = new ClassFileImporter().importClasses(PlantedViolation.class);

        assertThatThrownBy(() -> ONLY_ONE_PACKAGE_KNOWS_DATABASES.check(planted))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("PlantedViolation");
    }

    @Test
    void shouldNeedOnlyNettyAndSlf4jAtRunTime() throws Exception {
        Set<String> needed = new TreeSet<>();
        try (InputStream pom = Files.newInputStream(Path.of("pom.xml"))) {
            NodeList dependencies = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(pom)
                    .getElementsByTagName("dependency");
            for (int i = 0; i < dependencies.getLength(); i++) {
                Element dependency = (Element) dependencies.item(i);
                boolean test = "test".equals(text(dependency, "scope"));
                boolean optional = "true".equals(text(dependency, "optional"));
                if (!test && !optional) {
                    needed.add(text(dependency, "groupId"));
                }
            }
        }
        assertThat(needed).containsExactly("io.metaq", "io.netty", "org.slf4j");
    }

    private static String text(Element parent, String tag) {
        NodeList found = parent.getElementsByTagName(tag);
        return found.getLength() == 0 ? "" : found.item(0).getTextContent().strip();
    }
}
