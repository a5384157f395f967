package io.metaq.benchmarks.reference;

import io.metaq.benchmarks.driver.Job;
import io.metaq.benchmarks.driver.Window;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** How often a second one thread can append a message to a file whose space was written before, and sync it. */
final class BareSync {

    private static final int FILE_BYTES = 64 << 20;

    private final Path directory;
    private final AtomicLong syncs = new AtomicLong();
    private volatile boolean stopped;

    BareSync(Path directory) {
        this.directory = directory;
    }

    Map<String, Object> run(Job job) throws Exception {
        Files.createDirectories(directory);
        Path path = directory.resolve("bare-sync");
        Map<String, Object> figures = new LinkedHashMap<>();
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            preallocate(file);
            Window window = new Window(job, syncs::get);
            Thread syncing = new Thread(() -> appendAndSync(file, job.bodyBytes()), "bare-sync");
            syncing.start();
            window.measure(job);
            stopped = true;
            syncing.join();
            window.putInto(figures);
        } finally {
            Files.deleteIfExists(path);
        }
        return figures;
    }

    private static void preallocate(FileChannel file) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(1 << 20);
        for (int at = 0; at < FILE_BYTES; at += zeros.capacity()) {
            file.write(zeros.clear(), at);
        }
        file.force(true);
    }

    private void appendAndSync(FileChannel file, int bytes) {
        ByteBuffer message = ByteBuffer.allocateDirect(bytes);
        try {
            for (long at = 0; !stopped; at = (at + bytes) % (FILE_BYTES - bytes)) {
                file.write(message.clear(), at);
                file.force(false);
                syncs.incrementAndGet();
            }
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
