package io.metaq.broker.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.metaq.protocol.codec.PercentCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The file of users: a line {@code NAME:HASH} for each, the name percent-encoded where need be; lines that begin with {@code #} are
 * comments. It is replaced as a whole, so that a broker never reads half of it, and only its owner may read it. Several
 * processes may change it at the same time.
 */
public final class UsersFile {
    private static final String HEAD = "# The users of a MetaQ broker. Change it by: metaq user add|remove NAME";
    private static final int MAX_NAME = 200;
    private static final int MAX_PASSWORD = 1_000;

    private final Path path;
    private final int iterations;

    public UsersFile(Path path) {
        this(path, PasswordHash.ITERATIONS);
    }

    UsersFile(Path path, int iterations) {
        this.path = path;
        this.iterations = iterations;
    }

    public Path path() {
        return path;
    }

    /** The names, sorted; none if there is no file. @throws IOException if it cannot be read, or is damaged */
    public List<String> names() throws IOException {
        return List.copyOf(read().keySet());
    }

    /**
     * Adds a user, or gives one a new password.
     *
     * @return whether the user is new
     * @throws IllegalArgumentException if that cannot be a name or a password; the message says why
     */
    public boolean put(String name, char[] password) throws IOException {
        checkName(name);
        if (password.length == 0 || password.length > MAX_PASSWORD) {
            throw new IllegalArgumentException("a password has from 1 to " + MAX_PASSWORD + " characters");
        }
        PasswordHash hash = PasswordHash.of(password, iterations);
        return change(users -> users.put(name, hash) == null);
    }

    /** @return whether there was such a user */
    public boolean remove(String name) throws IOException {
        return Files.exists(path) && change(users -> users.remove(name) != null);
    }

    private static void checkName(String name) {
        if (name.isBlank() || name.length() > MAX_NAME || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("'" + name + "' cannot name a user: from 1 to " + MAX_NAME
                    + " characters, none a control character");
        }
    }

    Map<String, PasswordHash> read() throws IOException {
        Map<String, PasswordHash> users = new TreeMap<>();
        List<String> lines;
        try {
            lines = Files.readAllLines(path, UTF_8);
        } catch (NoSuchFileException e) {
            return users;
        }
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                read(line, i + 1, users);
            }
        }
        return users;
    }

    private void read(String line, int number, Map<String, PasswordHash> users) throws IOException {
        int colon = line.indexOf(':');
        try {
            if (colon <= 0) {
                throw new IllegalArgumentException("no line of the form NAME:HASH");
            }
            users.put(PercentCode.decode(line.substring(0, colon)), PasswordHash.parse(line.substring(colon + 1)));
        } catch (IllegalArgumentException e) {
            throw new IOException(path + ":" + number + ": " + e.getMessage()
                    + "; remove the line and add the user again by: metaq user add NAME");
        }
    }

    private boolean change(Predicate<Map<String, PasswordHash>> change) throws IOException {
        Path folder = Objects.requireNonNull(path.toAbsolutePath().getParent());
        Files.createDirectories(folder);
        // A file of its own: the users' file itself is replaced, which would leave two processes with locks on two
        // files.
        try (FileChannel locked = FileChannel.open(
                        folder.resolve(path.getFileName() + ".lock"),
                        java.util.Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                        ownerOnly(folder));
                FileLock lock = locked.lock()) {
            Map<String, PasswordHash> users = read();
            boolean result = change.test(users);
            write(folder, users);
            return result && lock.isValid();
        }
    }

    private void write(Path folder, Map<String, PasswordHash> users) throws IOException {
        List<String> lines = new ArrayList<>(List.of(HEAD));
        users.forEach((name, hash) -> lines.add(encoded(name) + ":" + hash.text()));
        Path draft = Files.createTempFile(folder, path.getFileName().toString(), ".new", ownerOnly(folder));
        try {
            try (FileChannel out = FileChannel.open(draft, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap((String.join("\n", lines) + "\n").getBytes(UTF_8));
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
                out.force(true);
            }
            Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    /** A name may have a colon, or begin as a comment does. */
    private static String encoded(String name) {
        return PercentCode.encode(name).replace(":", "%3A").replace("#", "%23");
    }

    /** None where the file system knows no such permissions. */
    private static FileAttribute<?>[] ownerOnly(Path folder) {
        return folder.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }
}
