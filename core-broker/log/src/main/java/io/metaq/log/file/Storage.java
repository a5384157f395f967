package io.metaq.log.file;

import java.io.IOException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.List;

/**
 * The disk as the log sees it. Safe for use by several threads.
 *
 * <p>Nothing here is durable by itself: the bytes of a file are after {@link StorageFile#sync()}, and a name (after
 * create, rename or delete) is after {@link #syncDirectory(Path)}. Tests replace the disk by a simulated one that
 * forgets whatever was not synced.
 *
 * <p>A full disk shows as {@link StorageFullException}, every other failure as a plain {@link IOException}.
 */
public interface Storage {

    /** The real disk. */
    static Storage disk() {
        return DiskStorage.INSTANCE;
    }

    /** Opens a file; the options are those of {@link java.nio.file.StandardOpenOption}. */
    StorageFile open(Path path, OpenOption... options) throws IOException;

    boolean exists(Path path);

    /** The entries of a directory sorted by name; empty when there is no such directory. */
    List<Path> list(Path directory) throws IOException;

    boolean isDirectory(Path path);

    /** Creates a directory and its missing parents. */
    void createDirectories(Path directory) throws IOException;

    /** Renames atomically; a file at {@code to} is replaced. */
    void rename(Path from, Path to) throws IOException;

    /** Deletes a file or an empty directory; nothing happens when there is none. */
    void delete(Path path) throws IOException;

    /** Makes the names inside this directory durable. */
    void syncDirectory(Path directory) throws IOException;

    /** Bytes that can still be written to the disk that holds this path. */
    long usableSpace(Path path) throws IOException;

    /** Size in bytes of the disk that holds this path. */
    long totalSpace(Path path) throws IOException;

    /** Length of a file in bytes. */
    long size(Path path) throws IOException;

    /** When the file's content changed last, in milliseconds since 1970. */
    long lastModifiedMs(Path path) throws IOException;
}
