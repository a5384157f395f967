package io.metaq.benchmarks.reference;

import io.metaq.benchmarks.driver.Job;
import io.metaq.benchmarks.driver.Window;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A backlog sent from a file to a socket by {@code transferTo}, and read at the other end of the loopback without a look at
 * it. Each message counts as its body and the 20 bytes of MetaQ's message header.
 */
final class BareTransfer {

    private static final int HEADER_BYTES = 20;
    private static final int CHUNK_BYTES = 1 << 20;

    private final Path directory;
    private final AtomicLong messages = new AtomicLong();

    BareTransfer(Path directory) {
        this.directory = directory;
    }

    Map<String, Object> run(Job job) throws Exception {
        long count = job.number("count", 1_000_000);
        long bytes = count * (job.bodyBytes() + HEADER_BYTES);
        Map<String, Object> figures = new LinkedHashMap<>();
        Window window = new Window(job, messages::get);
        try (FileChannel file = FileChannel.open(backlog(bytes), StandardOpenOption.READ);
                ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Thread sending = new Thread(() -> send(server, file, bytes), "bare-transfer");
            sending.start();
            window.begin();
            try (SocketChannel socket = SocketChannel.open(server.getLocalAddress())) {
                receive(socket, bytes);
            }
            messages.set(count);
            window.end();
            sending.join();
        }
        window.putInto(figures);
        return figures;
    }

    /** The file is kept for further rounds, as a broker keeps its backlog. */
    private Path backlog(long bytes) throws IOException {
        Files.createDirectories(directory);
        Path path = directory.resolve("bare-transfer");
        if (Files.exists(path) && Files.size(path) == bytes) {
            return path;
        }
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (long at = 0; at < bytes; ) {
                at += file.write(chunk.clear().limit((int) Math.min(CHUNK_BYTES, bytes - at)), at);
            }
            file.truncate(bytes);
        }
        return path;
    }

    private static void send(ServerSocketChannel server, FileChannel file, long bytes) {
        try (SocketChannel socket = server.accept()) {
            for (long at = 0; at < bytes; ) {
                at += file.transferTo(at, Math.min(CHUNK_BYTES, bytes - at), socket);
            }
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static void receive(SocketChannel socket, long bytes) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
        for (long at = 0; at < bytes; ) {
            int read = socket.read(chunk.clear());
            if (read < 0) {
                throw new IOException("the sending end closed after " + at + " bytes");
            }
            at += read;
        }
    }
}
