package io.metaq.tck.languages;

import io.metaq.tck.harness.ChildProcess;
import io.metaq.testkit.vector.VectorFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A language with a client in this repository, and how its test program is started. */
enum Language {
    PYTHON("python3", "driver.py", "PYTHONPATH", "python/src"),
    RUBY("ruby", "driver.rb", "RUBYLIB", "ruby/lib");

    private final String command;
    private final String program;
    private final String pathVariable;
    private final String library;

    Language(String command, String program, String pathVariable, String library) {
        this.command = command;
        this.program = program;
        this.pathVariable = pathVariable;
        this.library = library;
    }

    /** Whether its interpreter is there. */
    boolean isInstalled() {
        try {
            Process version = new ProcessBuilder(command, "--version")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return version.waitFor(30, TimeUnit.SECONDS) && version.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Why a test of it does not run. */
    String absence() {
        return command + " is not installed";
    }

    /** Runs a program that is given as text. @return what it said, without white space at the ends */
    String run(String program, String... arguments) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("env", path(), "PYTHONDONTWRITEBYTECODE=1", "LC_ALL=C.UTF-8"));
        line.addAll(List.of(command, this == PYTHON ? "-c" : "-e", program));
        line.addAll(List.of(arguments));
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said.strip();
    }

    private String path() {
        return pathVariable + "=" + VectorFile.repositoryDirectory().getParent().resolve(library);
    }

    /** Starts its test program; {@code lines} is given each line that it says. */
    ChildProcess start(Consumer<String> lines) {
        Path root = VectorFile.repositoryDirectory().getParent();
        Path driver = root.getParent()
                .resolve("tck-tests/src/test/resources/languages")
                .resolve(program);
        return ChildProcess.start(
                name().toLowerCase(java.util.Locale.ROOT),
                List.of("env", path(), "PYTHONDONTWRITEBYTECODE=1", "LC_ALL=C.UTF-8", command, driver.toString()),
                lines);
    }
}
