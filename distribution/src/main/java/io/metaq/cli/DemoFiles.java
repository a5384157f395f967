package io.metaq.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Which files the demo streams: those that were named, or the text files of this repository or installation. */
final class DemoFiles {
    private static final int PROBE_BYTES = 8192;

    private DemoFiles() {}

    /** Every file of the given files and folders. */
    static List<DemoFile> of(List<Path> paths) throws IOException {
        List<DemoFile> files = new ArrayList<>();
        for (Path path : paths) {
            for (Path file : filesUnder(path)) {
                files.add(new DemoFile(file.toString(), file));
            }
        }
        return files;
    }

    /** The text files under a folder: those that git knows, where it is a clone. */
    static List<DemoFile> textFiles(Path root) throws IOException, InterruptedException {
        List<Path> candidates = Files.exists(root.resolve(".git")) ? trackedFiles(root) : List.of();
        if (candidates.isEmpty()) {
            candidates = filesUnder(root).stream()
                    .filter(file -> isSource(root.relativize(file)))
                    .toList();
        }
        List<DemoFile> files = new ArrayList<>();
        for (Path file : candidates) {
            if (Files.isRegularFile(file) && isText(file)) {
                files.add(new DemoFile(root.relativize(file).toString(), file));
            }
        }
        return files;
    }

    private static List<Path> filesUnder(Path path) throws IOException {
        if (!Files.exists(path)) {
            throw new CommandFailedException("there is no file or folder " + path);
        }
        try (Stream<Path> tree = Files.walk(path)) {
            return tree.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** Empty where git is not installed or does not answer. */
    private static List<Path> trackedFiles(Path root) throws InterruptedException {
        try {
            Process git = new ProcessBuilder("git", "-C", root.toString(), "ls-files", "-z")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String names = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!git.waitFor(10, TimeUnit.SECONDS) || git.exitValue() != 0) {
                return List.of();
            }
            return Stream.of(names.split("\0"))
                    .filter(name -> !name.isEmpty())
                    .map(root::resolve)
                    .toList();
        } catch (IOException e) {
            return List.of(); // no git here
        }
    }

    /** Neither hidden nor made by a build. */
    private static boolean isSource(Path relative) {
        for (Path name : relative) {
            if (name.toString().startsWith(".") || name.toString().equals("target")) {
                return false;
            }
        }
        return true;
    }

    private static boolean isText(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            for (byte b : in.readNBytes(PROBE_BYTES)) {
                if (b == 0) {
                    return false;
                }
            }
            return true;
        }
    }
}
