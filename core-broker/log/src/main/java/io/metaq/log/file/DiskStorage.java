package io.metaq.log.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** The file system of the machine. */
final class DiskStorage implements Storage {

    static final DiskStorage INSTANCE = new DiskStorage();

    private static final boolean WINDOWS = System.getProperty("os.name", "").startsWith("Windows");

    private DiskStorage() {}

    @Override
    public StorageFile open(Path path, OpenOption... options) throws IOException {
        try {
            return new DiskFile(path, FileChannel.open(path, options));
        } catch (IOException e) {
            throw DiskErrors.classify(e, path);
        }
    }

    @Override
    public boolean exists(Path path) {
        return Files.exists(path);
    }

    @Override
    public boolean isDirectory(Path path) {
        return Files.isDirectory(path);
    }

    @Override
    public List<Path> list(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.sorted().toList();
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        }
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw DiskErrors.classify(e, directory);
        }
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw DiskErrors.classify(e, to);
        }
    }

    @Override
    public void delete(Path path) throws IOException {
        Files.deleteIfExists(path);
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        if (WINDOWS) {
            return; // directories cannot be opened there, and NTFS journals its names itself
        }
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public long usableSpace(Path path) throws IOException {
        return store(path).getUsableSpace();
    }

    @Override
    public long totalSpace(Path path) throws IOException {
        return store(path).getTotalSpace();
    }

    @Override
    public long size(Path path) throws IOException {
        return Files.size(path);
    }

    @Override
    public long lastModifiedMs(Path path) throws IOException {
        return Files.getLastModifiedTime(path).toMillis();
    }

    private static FileStore store(Path path) throws IOException {
        return Files.getFileStore(path);
    }
}
