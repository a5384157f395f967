package io.metaq.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A broker, ready when its port takes connections. */
final class ServerProcess implements AutoCloseable {

    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration STOP = Duration.ofSeconds(20);
    private static final long POLL_MS = 20;

    private final Spawned process;
    private final double startSeconds;

    ServerProcess(String name, List<String> command, int port, Path log) throws IOException, InterruptedException {
        long began = System.nanoTime();
        this.process = Spawned.silent(name, command, log);
        long until = began + START.toNanos();
        while (!accepts(port)) {
            if (!process.isAlive() || System.nanoTime() - until > 0) {
                process.stop(STOP);
                throw new IOException(name + " did not start: " + process.lastWords());
            }
            Thread.sleep(POLL_MS);
        }
        startSeconds = (System.nanoTime() - began) / 1e9;
    }

    private static boolean accepts(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** From the start of the process, its virtual machine included, until it took connections. */
    double startSeconds() {
        return startSeconds;
    }

    /** Physical memory of the process now. */
    long residentMegabytes() throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(pid()), "status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024)
                .findFirst()
                .orElseThrow(() -> new IOException("no VmRSS in /proc"));
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() throws InterruptedException {
        process.stop(STOP);
    }
}
