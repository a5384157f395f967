package io.metaq.benchmarks;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Commands that start a class of one of this folder's modules on that module's own class path. */
final class ClassPaths {

    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    private final Path benchmarks;

    /** @param benchmarks the folder of this module, built with the profile {@code peers} */
    ClassPaths(Path benchmarks) {
        this.benchmarks = benchmarks;
    }

    List<String> java(String module, List<String> jvmOptions, String mainClass, String... arguments)
            throws IOException {
        Path target = benchmarks.resolve(module).resolve("target");
        String libraries = Files.readString(target.resolve("class-path")).strip();
        List<String> command = new ArrayList<>(List.of(JAVA.toString()));
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", target.resolve("classes") + File.pathSeparator + libraries, mainClass));
        command.addAll(List.of(arguments));
        return command;
    }
}
