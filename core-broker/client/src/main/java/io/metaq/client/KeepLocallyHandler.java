package io.metaq.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Appends rejected messages to files, one per group and partition, in storage format. */
final class KeepLocallyHandler implements RejectHandler {

    private final Path directory;

    KeepLocallyHandler(Path directory) {
        this.directory = directory;
    }

    @Override
    public synchronized void reject(String group, Message message, @Nullable Throwable cause) throws IOException {
        TopicPartition partition = message.partition();
        String name = partition == null ? message.topic() : partition.toString();
        Path folder = Files.createDirectories(directory.resolve(FileNames.safe(group)));
        byte[] whole = StorageFormat.encode(message);
        try (FileChannel file = FileChannel.open(
                folder.resolve(FileNames.safe(name) + ".rejected"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE)) {
            long end = file.size();
            ByteBuffer bytes = ByteBuffer.wrap(whole);
            while (bytes.hasRemaining()) {
                end += file.write(bytes, end);
            }
            file.force(false);
        }
    }
}
