package io.metaq.log.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Keeps two brokers, or a broker and a repair tool, from working on the same data directory. The system frees the lock
 * when the process ends, however it ends; the file itself stays.
 */
public final class DirectoryLock implements AutoCloseable {

    private final FileChannel channel;

    private DirectoryLock(FileChannel channel) {
        this.channel = channel;
    }

    /** @throws IOException when the directory is in use, with a message that says so */
    public static DirectoryLock acquire(Path directory) throws IOException {
        Files.createDirectories(directory);
        Path file = directory.resolve("lock");
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (tryLock(channel) == null) {
            channel.close();
            throw new IOException(directory + " is in use by another process (it holds " + file + ")");
        }
        return new DirectoryLock(channel);
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // held by this very process
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
