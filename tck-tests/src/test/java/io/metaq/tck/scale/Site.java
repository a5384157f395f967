package io.metaq.tck.scale;

import io.metaq.jms.MetaQConnectionFactory;
import io.metaq.tck.harness.BrokerFiles;
import io.metaq.tck.harness.BrokerProcess;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A broker in a process of its own, and connections to it that end with the test. */
final class Site implements AutoCloseable {
    /** Messages of the test at hand, unless told otherwise: few in the normal build. */
    static final int MESSAGES = Integer.getInteger("tck.scale.messages", 20_000);

    /** Whether it is large enough that times and rates mean something. */
    static final boolean LARGE = MESSAGES >= 1_000_000;

    /** The broker as users run it, with both compilers, and a heap that no backlog fits into. */
    private static final String[] JVM_OPTIONS = {"-XX:TieredStopAtLevel=4", "-Xmx512m"};

    private final BrokerFiles files;
    private final List<Connection> connections = new ArrayList<>();
    private BrokerProcess broker;

    Site(Path directory) {
        files = BrokerFiles.in(directory).set("journalSegmentSize", 64 * 1024 * 1024);
        broker = BrokerProcess.start(files, JVM_OPTIONS);
    }

    /** @param options of the connection URI, {@code ?...} or empty */
    Connection connect(String options) throws JMSException {
        Connection connection =
                new MetaQConnectionFactory("metaq://127.0.0.1:" + files.port() + options).createConnection();
        connections.add(connection);
        connection.start();
        return connection;
    }

    /** Kills the broker and starts it; gives the seconds from the start of its process until it answered. */
    double killAndStart() {
        broker.kill9();
        long began = System.nanoTime();
        broker = BrokerProcess.start(files, JVM_OPTIONS);
        return secondsSince(began);
    }

    static double secondsSince(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }

    /** Physical memory of the broker. */
    long residentMegabytes() {
        try (var lines = Files.lines(Path.of("/proc", Long.toString(broker.pid()), "status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws JMSException {
        for (Connection connection : connections) {
            connection.close();
        }
        broker.close();
    }
}
