package io.metaq.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Offsets of a group in a text file {@code <group>.offsets}: one line {@code topic broker partition offset messageId} each.
 * Written beside the old file, forced, then renamed over it, so that a crash leaves the old or the new content.
 */
final class FileOffsetStore implements OffsetStore {

    private final Path directory;
    private final Map<String, Map<TopicPartition, StoredOffset>> groups = new HashMap<>();

    FileOffsetStore(Path directory) {
        this.directory = directory;
    }

    @Override
    public synchronized @Nullable StoredOffset load(String group, TopicPartition partition) {
        return offsets(group).get(partition);
    }

    @Override
    public synchronized void commit(String group, Map<TopicPartition, StoredOffset> offsets) {
        Map<TopicPartition, StoredOffset> merged = new TreeMap<>(offsets(group));
        merged.putAll(offsets);
        write(file(group), merged);
        groups.put(group, merged);
    }

    private Map<TopicPartition, StoredOffset> offsets(String group) {
        return groups.computeIfAbsent(group, name -> read(file(name)));
    }

    private Path file(String group) {
        return directory.resolve(FileNames.safe(group) + ".offsets");
    }

    private static Map<TopicPartition, StoredOffset> read(Path file) {
        Map<TopicPartition, StoredOffset> offsets = new TreeMap<>();
        if (!Files.exists(file)) {
            return offsets;
        }
        try {
            for (String line : Files.readAllLines(file)) {
                String[] words = line.split(" ", -1);
                offsets.put(
                        new TopicPartition(words[0], Integer.parseInt(words[1]), Integer.parseInt(words[2])),
                        new StoredOffset(Long.parseLong(words[3]), Long.parseLong(words[4])));
            }
            return offsets;
        } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new MetaqException(
                    "offset file " + file + " cannot be read: repair it, or remove it to begin anew", e);
        }
    }

    private void write(Path file, Map<TopicPartition, StoredOffset> offsets) {
        StringBuilder text = new StringBuilder();
        offsets.forEach((partition, stored) -> text.append(partition.topic())
                .append(' ')
                .append(partition.broker())
                .append(' ')
                .append(partition.partition())
                .append(' ')
                .append(stored.offset())
                .append(' ')
                .append(stored.messageId())
                .append('\n'));
        try {
            Files.createDirectories(directory);
            Path fresh = file.resolveSibling(file.getFileName() + ".new");
            force(fresh, text.toString());
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new MetaqException("offset file " + file + " cannot be written", e);
        }
    }

    private static void force(Path file, String text) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }
}
