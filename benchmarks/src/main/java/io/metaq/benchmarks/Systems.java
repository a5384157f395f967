package io.metaq.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Brokers and drivers, each started when first needed and kept until the end, so that they stay warm. */
final class Systems implements AutoCloseable {

    /** MetaQ with a small heap, without and with many topics; see {@link ManyTopics}. */
    static final String METAQ_ALONE = "metaq-alone";

    static final String METAQ_MANY = "metaq-many";
    static final String SMALL_HEAP = "256m";

    /** ActiveMQ Classic that delivers a message when it is stored, not meanwhile. */
    static final String CLASSIC_STORED = "classic-stored";

    private static final String PEER = "io.metaq.benchmarks.peer.";
    private static final String REFERENCE = "io.metaq.benchmarks.reference.Reference";
    private static final String METAQ = "io.metaq.benchmarks.metaq.";

    private final ClassPaths classPaths;
    private final Path directory;
    private final List<String> serverOptions;
    private final List<String> driverOptions;
    private final Map<String, Broker> brokers = new HashMap<>();
    private final Map<String, DriverProcess> drivers = new HashMap<>();

    private record Broker(ServerProcess process, int port, int secondPort) {}

    /** @param directory for data and logs of the processes */
    Systems(ClassPaths classPaths, Path directory, Options options) {
        this.classPaths = classPaths;
        this.directory = directory;
        this.serverOptions = List.of("-Xms" + options.heap(), "-Xmx" + options.heap());
        this.driverOptions = serverOptions;
    }

    /** Runs one job on a system's driver; the job learns the broker's process id for its processor time. */
    Figures run(String system, Map<String, String> job) throws IOException, InterruptedException {
        DriverProcess driver = drivers.get(system);
        if (driver == null) {
            driver = startDriver(system);
            drivers.put(system, driver);
        }
        Broker broker = brokers.get(brokerOf(system));
        Map<String, String> complete = new HashMap<>(job);
        if (broker != null) {
            complete.put("brokerPid", Long.toString(broker.process().pid()));
        }
        return driver.run(complete);
    }

    /** The system's broker, started if it is not. */
    ServerProcess server(String system) throws IOException, InterruptedException {
        return broker(brokerOf(system)).process();
    }

    private static String brokerOf(String system) {
        return system.equals("raw") || system.equals("metaq-jms") ? "metaq" : system;
    }

    private DriverProcess startDriver(String system) throws IOException, InterruptedException {
        List<String> command = switch (system) {
            case "metaq" ->
                driver("", METAQ + "MetaqPeer", loopback(broker("metaq").port()));
            case METAQ_ALONE, METAQ_MANY ->
                driver("", METAQ + "MetaqPeer", loopback(broker(system).port()));
            case "raw" -> driver("", METAQ + "RawPeer", loopback(broker("metaq").port()));
            case "metaq-jms" ->
                driver("", METAQ + "MetaqJmsPeer", loopback(broker("metaq").port()));
            case "kafka" ->
                driver(
                        "peer-kafka",
                        PEER + "kafka.KafkaPeer",
                        loopback(broker("kafka").port()));
            case "artemis" ->
                driver(
                        "peer-artemis",
                        PEER + "artemis.ArtemisPeer",
                        loopback(broker("artemis").port()));
            case "classic", CLASSIC_STORED ->
                driver(
                        "peer-activemq",
                        PEER + "activemq.ActiveMqPeer",
                        loopback(broker(system).port()));
            case "metaq14" ->
                driver(
                        "peer-metaq14",
                        PEER + "metaq14.Metaq14Peer",
                        loopback(broker("metaq14").secondPort()));
            case "reference" -> driver("", REFERENCE, data("reference").toString());
            default -> throw new IllegalArgumentException("no system " + system);
        };
        return new DriverProcess(system + "-driver", command, log(system + "-driver"));
    }

    private List<String> driver(String module, String main, String argument) throws IOException {
        return classPaths.java(module, driverOptions, main, argument);
    }

    private Broker broker(String system) throws IOException, InterruptedException {
        Broker running = brokers.get(system);
        if (running != null) {
            return running;
        }
        int port = freePort();
        int secondPort = freePort();
        String[] arguments = {data(system).toString(), Integer.toString(port), Integer.toString(secondPort)};
        List<String> command = switch (system) {
            case "metaq" -> classPaths.java("", serverOptions, METAQ + "MetaqServer", arguments);
            case METAQ_ALONE, METAQ_MANY ->
                classPaths.java("", List.of("-Xmx" + SMALL_HEAP), METAQ + "MetaqServer", arguments);
            case "kafka" -> classPaths.java("peer-kafka", serverOptions, PEER + "kafka.KafkaServer", arguments);
            case "metaq14" -> classPaths.java("peer-metaq14", serverOptions, PEER + "metaq14.Metaq14Server", arguments);
            case "artemis" ->
                classPaths.java("peer-artemis", artemisOptions(), PEER + "artemis.ArtemisServer", arguments);
            case "classic" ->
                classPaths.java("peer-activemq", serverOptions, PEER + "activemq.ActiveMqServer", arguments);
            case CLASSIC_STORED ->
                classPaths.java("peer-activemq", storedFirst(), PEER + "activemq.ActiveMqServer", arguments);
            default -> throw new IllegalArgumentException("no broker " + system);
        };
        Broker started = new Broker(new ServerProcess(system, command, port, log(system)), port, secondPort);
        brokers.put(system, started);
        return started;
    }

    /** Its library for asynchronous writes must be on the path from the start, where the server then unpacks it. */
    private List<String> artemisOptions() throws IOException {
        List<String> options = new ArrayList<>(serverOptions);
        options.add("-Djava.library.path=" + data("artemis").resolve("native"));
        return options;
    }

    private List<String> storedFirst() {
        List<String> options = new ArrayList<>(serverOptions);
        options.add("-Dclassic.dispatch=stored");
        return options;
    }

    private Path data(String system) throws IOException {
        return Files.createDirectories(directory.resolve(system));
    }

    private Path log(String name) {
        return directory.resolve(name + ".log");
    }

    private static String loopback(int port) {
        return "127.0.0.1:" + port;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() throws InterruptedException {
        for (DriverProcess driver : drivers.values()) {
            driver.close();
        }
        for (Broker broker : brokers.values()) {
            broker.process().close();
        }
    }
}
