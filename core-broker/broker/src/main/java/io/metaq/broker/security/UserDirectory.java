package io.metaq.broker.security;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The users as the file has them now: it is read again when it has changed. A file that cannot be understood lets nobody in, and
 * says so once: those it no longer names must not go on by what it said before.
 */
final class UserDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(UserDirectory.class);

    private final UsersFile file;
    private @Nullable Version read;
    private Map<String, PasswordHash> users = Map.of();

    /** What tells one state of the file from another; a replaced file has another key even within one tick of the clock. */
    private record Version(
            FileTime modified, long size, @Nullable Object key) {}

    UserDirectory(UsersFile file) {
        this.file = file;
    }

    /** The users by name. Any thread; asks the disk. */
    synchronized Map<String, PasswordHash> users() {
        Version now = version(file.path());
        if (now == null) {
            read = null;
            users = Map.of();
        } else if (!now.equals(read)) {
            users = readAgain();
            read = now;
        }
        return users;
    }

    private Map<String, PasswordHash> readAgain() {
        try {
            Map<String, PasswordHash> found = Map.copyOf(file.read());
            LOG.info("{} users read from {}", found.size(), file.path());
            return found;
        } catch (IOException e) {
            LOG.error("nobody can log in: the users cannot be read: {}", e.getMessage());
            return Map.of();
        }
    }

    private static @Nullable Version version(Path path) {
        try {
            BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
            return new Version(now.lastModifiedTime(), now.size(), now.fileKey());
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            LOG.error("nobody can log in: {} cannot be looked at: {}", path, e.toString());
            return null;
        }
    }
}
