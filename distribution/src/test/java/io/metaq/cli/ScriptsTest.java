package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ScriptsTest {
    @TempDir
    private Path dir;

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path BIN = ROOT.resolve("distribution/src/main/bin");

    static Stream<Path> scripts() {
        return Stream.of(ROOT.resolve("metaq"), ROOT.resolve("build"), ROOT.resolve(".ci/run"), BIN.resolve("metaq"));
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void shouldBeSoundAndExecutable(Path script) throws Exception {
        String shell = Files.readAllLines(script).get(0).endsWith("bash") ? "bash" : "sh";

        assertThat(Files.isExecutable(script)).isTrue();
        assertThat(run(shell, "-n", script.toString())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void shouldSatisfyShellcheck(Path script) throws Exception {
        assumeTrue(isInstalled("shellcheck"), "shellcheck is not installed");

        assertThat(run("shellcheck", script.toString())).isEmpty();
    }

    /** What one script gives to the JVM the other must give too. */
    @Test
    void shouldKeepTheWindowsScriptInStep() throws IOException {
        String sh = Files.readString(BIN.resolve("metaq"));
        String cmd = Files.readString(BIN.resolve("metaq.cmd"));

        for (String shared : List.of(
                "io.metaq.cli.Metaq",
                "jvm-",
                ".options",
                "logback-",
                "metaq.home",
                "METAQ_HEAP",
                "METAQ_OPTS",
                "JAVA_HOME",
                "512m")) {
            assertThat(sh).contains(shared);
            assertThat(cmd).contains(shared);
        }
        assertThat(commands(cmd, "\"%~1\"==\"(\\w+)\"")).isEqualTo(commands(sh, "(?m)^ {2}(\\w+)\\) options=broker"));
    }

    private static List<String> commands(String script, String pattern) {
        return Pattern.compile(pattern)
                .matcher(script)
                .results()
                .map((java.util.regex.MatchResult m) -> m.group(1))
                .toList();
    }

    @Test
    void shouldNameOnlyFilesThatAreThere() throws IOException {
        Matcher names = Pattern.compile("conf[/\\\\](jvm|logback)-").matcher(Files.readString(BIN.resolve("metaq")));

        assertThat(names.results().map(match -> match.group(1))).containsExactlyInAnyOrder("jvm", "logback");
        for (String kind : List.of("broker", "tool")) {
            assertThat(ROOT.resolve("distribution/src/main/conf/jvm-" + kind + ".options"))
                    .isRegularFile();
            assertThat(ROOT.resolve("distribution/src/main/conf/logback-" + kind + ".xml"))
                    .isRegularFile();
        }
    }

    @Test
    void shouldShipAConfigurationThatABrokerStartsWith() {
        Path shipped = ROOT.resolve("distribution/src/main/conf/server.ini");

        assertThat(CommandRun.of("config", "check", shipped.toString()).out())
                .isEqualToIgnoringNewLines(shipped + ": a broker starts with it");
    }

    @Test
    void shouldSayWhatToInstallWithoutTheRightsForIt() throws Exception {
        Path bin = Files.createDirectory(dir.resolve("bin"));
        for (String tool : List.of("sed", "dirname", "cat", "readlink")) {
            script(bin.resolve(tool), "exec /usr/bin/" + tool + " \"$@\"");
        }
        script(bin.resolve("id"), "echo 1000");
        ProcessBuilder build =
                new ProcessBuilder("/bin/bash", ROOT.resolve("build").toString(), "--tools");
        build.environment().clear();
        build.environment().put("PATH", bin.toString());

        String output = run(build);

        assertThat(output)
                .startsWith(
                        "build: needs a JDK of version 17 or later and Maven 3.8 or later; missing here: openjdk-17-jdk-headless maven")
                .contains("apt-get update && apt-get install -y openjdk-17-jdk-headless maven");
    }

    private static void script(Path file, String line) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + line + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void shouldBeContentWithTheToolsThatBuiltThis() throws Exception {
        assumeTrue(isInstalled("mvn") && isInstalled("javac"), "mvn or javac is not on the PATH");

        assertThat(run("bash", ROOT.resolve("build").toString(), "--tools")).isEmpty();
    }

    private static boolean isInstalled(String program) {
        return Stream.of(System.getenv("PATH").split(":")).anyMatch(dir -> Files.isExecutable(Path.of(dir, program)));
    }

    private static String run(String... command) throws IOException, InterruptedException {
        return run(new ProcessBuilder(command));
    }

    private static String run(ProcessBuilder builder) throws IOException, InterruptedException {
        Process process = builder.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }
}
