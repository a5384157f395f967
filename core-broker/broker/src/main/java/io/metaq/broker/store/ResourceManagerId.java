package io.metaq.broker.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** The name that a data directory gets when it is first used, in a file of its own. */
final class ResourceManagerId {
    private static final String FILE = "resource-manager";

    private ResourceManagerId() {}

    static String of(Path dataPath) throws IOException {
        Path file = dataPath.resolve(FILE);
        if (Files.exists(file)) {
            String text = Files.readString(file, StandardCharsets.US_ASCII).strip();
            try {
                return UUID.fromString(text).toString();
            } catch (IllegalArgumentException e) {
                throw new IOException(
                        file + " does not hold a UUID: bring it back, or remove it if no transaction"
                                + " manager has branches in doubt here",
                        e);
            }
        }
        String founded = UUID.randomUUID().toString();
        Path written = dataPath.resolve(FILE + ".new");
        try (FileChannel channel = FileChannel.open(
                written, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer text = ByteBuffer.wrap((founded + '\n').getBytes(StandardCharsets.US_ASCII));
            while (text.hasRemaining()) {
                channel.write(text);
            }
            channel.force(true);
        }
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
        return founded;
    }
}
