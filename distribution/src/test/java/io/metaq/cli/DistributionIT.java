package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the build leaves for users, run as they run it: by bin/metaq, in processes of its own. */
class DistributionIT {
    private static final Path TARGET = Path.of("target").toAbsolutePath();

    @TempDir
    private Path dir;

    @AfterEach
    void leaveNoBroker() throws Exception {
        RunningBroker.find(dir.resolve("data"))
                .flatMap(RunningBroker::process)
                .ifPresent(ProcessHandle::destroyForcibly);
    }

    @Test
    void shouldHaveEverythingInItsPlace() throws IOException {
        Path home = home();

        assertThat(Files.isExecutable(home.resolve("bin/metaq"))).isTrue();
        for (String file : List.of(
                "bin/metaq.cmd",
                "conf/server.ini",
                "conf/jvm-broker.options",
                "conf/logback-broker.xml",
                "LICENSE",
                "README.md",
                "docs/configuration.md")) {
            assertThat(home.resolve(file)).isRegularFile();
        }
        try (Stream<Path> lib = Files.list(home.resolve("lib"))) {
            assertThat(lib.map(jar -> jar.getFileName().toString()))
                    .anyMatch(name -> name.startsWith("metaq-broker-"))
                    .anyMatch(name -> name.startsWith("metaq-client-"))
                    .anyMatch(name -> name.startsWith("metaq-jms-"))
                    .anyMatch(name -> name.startsWith("jakarta.jms-api-"))
                    .noneMatch(name -> name.contains("junit") || name.contains("testkit"));
        }
        assertThat(Files.readString(home.resolve("bin/metaq.cmd"))).contains("\r\n");
        assertThat(Files.readString(home.resolve("bin/metaq"))).doesNotContain("\r");
    }

    @Test
    void shouldComeAsTarAndZip() throws IOException {
        String name = home().getFileName().toString();

        assertThat(TARGET.resolve(name + ".tar.gz")).isNotEmptyFile();
        try (ZipFile zip = new ZipFile(TARGET.resolve(name + ".zip").toFile())) {
            assertThat(zip.getEntry(name + "/bin/metaq.cmd")).isNotNull();
            assertThat(zip.getEntry(name + "/conf/server.ini")).isNotNull();
        }
    }

    @Test
    void shouldStartInTheBackgroundAnswerAndStop() throws Exception {
        String data = dir.resolve("data").toString();

        Ran start = metaq("start", "-d", "--port", "0", "--data-path", data);
        Ran again = metaq("start", "-d", "--port", "0", "--data-path", data);
        Ran verify = metaq("log", "verify", "--data-path", data);
        Ran status = metaq("status", "--data-path", data);
        Ran stop = metaq("stop", "--data-path", data);
        Ran after = metaq("status", "--data-path", data);

        assertThat(start.output).startsWith("running: pid ").contains("address 127.0.0.1:");
        assertThat(again.exitCode).isEqualTo(ExitCode.FAILED);
        assertThat(again.output).contains("is running on " + data + " already: pid ");
        assertThat(verify.output).contains("stop it first");
        assertThat(status.exitCode).isZero();
        assertThat(status.output).contains("uptime ");
        assertThat(stop.output).startsWith("stopped the broker on " + data);
        assertThat(after.exitCode).isEqualTo(ExitCode.NOT_RUNNING);
        assertThat(dir.resolve("data/broker.pid")).doesNotExist();
        assertThat(dir.resolve("data/logs/broker.log")).isNotEmptyFile();
        assertThat(metaq("log", "verify", "--data-path", data).exitCode).isZero();
    }

    @Test
    void shouldSayInOneLineWhyItDoesNotStart() throws Exception {
        Path config = Files.writeString(dir.resolve("server.ini"), "[system]\nserverPrt=1\n");

        Ran start = metaq("start", "-d", "--config", config.toString());

        assertThat(start.exitCode).isEqualTo(ExitCode.FAILED);
        assertThat(start.output)
                .isEqualToIgnoringNewLines(
                        "metaq: " + config + ":2: [system] serverPrt: unknown key; did you mean serverPort?");
    }

    /** One jar on the class path, beside all the others of the distribution. */
    @Test
    void shouldServeTheJmsProgramOfTheReadme() throws Exception {
        String data = dir.resolve("data").toString();
        Ran start = metaq("start", "-d", "--port", "0", "--data-path", data);
        Matcher address = Pattern.compile("address ([^,]+)").matcher(start.output);
        assertThat(address.find()).as(start.output).isTrue();
        Path jar;
        try (Stream<Path> lib = Files.list(home().resolve("lib"))) {
            jar = lib.filter(file -> file.getFileName().toString().startsWith("metaq-jms-"))
                    .findFirst()
                    .orElseThrow();
        }

        String said = ReadmeJmsTest.run(ReadmeJmsTest.program(address.group(1), dir), jar.toString());

        assertThat(said.lines()).contains("received hello");
        assertThat(metaq("stop", "--data-path", data).exitCode).isZero();
    }

    /** Files as they come: CR LF, no line feed at the end, no bytes, no text. */
    @Test
    void shouldLoseNothingInTheDemo() throws Exception {
        Path files = Files.createDirectories(dir.resolve("files/deeper"));
        Files.writeString(files.resolve("crlf"), "a\r\nb\r\n\r\n");
        Files.writeString(files.resolve("no-end"), "x\n\ny");
        Files.write(files.resolve("empty"), new byte[0]);
        Files.write(files.resolve("gbk"), new byte[] {(byte) 0xd6, (byte) 0xd0, '\n', (byte) 0xff});
        byte[] noText = new byte[500_000];
        new Random(3).nextBytes(noText);
        Files.write(files.resolve("no-text"), noText);
        Files.writeString(files.resolve("lines"), "a line of some length\n".repeat(20_000));

        Ran demo = metaq(
                "demo",
                dir.resolve("files").toString(),
                "--directory",
                dir.resolve("temporary").toString());

        assertThat(demo.exitCode).as(demo.output).isZero();
        assertThat(demo.output)
                .contains("kill -9 ")
                .contains("broker again: pid ")
                .contains("6 of 6 files agree")
                .containsPattern("20000 +20000 +agrees +.*lines")
                .doesNotContain("DIFFERS");
        assertThat(dir.resolve("temporary")).isEmptyDirectory();
        assertThat(brokersUnder(dir)).isEmpty();
    }

    private static List<String> brokersUnder(Path dir) {
        return ProcessHandle.allProcesses()
                .flatMap(process -> process.info().arguments().stream())
                .map(arguments -> String.join(" ", arguments))
                .filter(arguments -> arguments.contains(dir.resolve("temporary").toString()))
                .toList();
    }

    private record Ran(int exitCode, String output) {}

    private static Ran metaq(String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(home().resolve("bin/metaq").toString()));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("METAQ_HEAP", "256m");
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return new Ran(process.exitValue(), output);
    }

    private static Path home() throws IOException {
        try (Stream<Path> dist = Files.list(TARGET.resolve("dist"))) {
            return dist.findFirst().orElseThrow();
        }
    }
}
