package io.metaq.broker.config;

import io.metaq.message.LargePayload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A checked configuration of one broker; immutable. Made from a file by {@link #load} or in code by {@link #builder}. What
 * each key means stands at its declaration in {@link Settings}.
 */
public final class BrokerConfig {
    /** What chunks of large payloads need: those that no message refers to are uploads that were given up. */
    private static final Map<String, String> COMPANION =
            Map.of("deletePolicy", "delete,1", "deleteWhen", "0 0/5 * * * ?", "maxSegmentSize", "67108864");

    private final SettingValues system;
    private final ZooKeeperSection zookeeper;
    private final List<TopicSection> topics;
    private final byte[] source;
    private final List<ConfigProblem> warnings;

    BrokerConfig(
            SettingValues system,
            SettingValues zookeeper,
            List<TopicSection> topics,
            byte[] source,
            List<ConfigProblem> warnings) {
        this.system = system;
        this.zookeeper = new ZooKeeperSection(zookeeper, Path.of(system.get(Settings.DATA_PATH)));
        this.topics = List.copyOf(topics);
        this.source = Secrets.masked(source);
        this.warnings = List.copyOf(warnings);
    }

    /**
     * Reads and checks a file whole.
     *
     * @throws ConfigException with a line for every mistake
     * @throws IOException if the file cannot be read
     */
    public static BrokerConfig load(Path file) throws ConfigException, IOException {
        return BrokerConfigBuilder.from(file).build();
    }

    /** Every mistake of a file, and every key that has no effect; empty if there is nothing to say. */
    public static List<ConfigProblem> check(Path file) throws IOException {
        return ConfigReader.read(file).problems();
    }

    /** All defaults: no topics, no ZooKeeper. */
    public static BrokerConfigBuilder builder() {
        return new BrokerConfigBuilder();
    }

    public int brokerId() {
        return get(Settings.BROKER_ID);
    }

    public String bindAddress() {
        return get(Settings.BIND_ADDRESS);
    }

    /** The address that clients are told. */
    public String advertisedHost() {
        String hostName = get(Settings.HOST_NAME);
        return hostName.isEmpty() ? LocalAddress.reachable(bindAddress()) : hostName;
    }

    /** The same as far as the configuration names one; null where the broker listens on all addresses and has no host name. */
    public @Nullable String namedHost() {
        String hostName = get(Settings.HOST_NAME);
        if (!hostName.isEmpty()) {
            return hostName;
        }
        return LocalAddress.isWildcard(bindAddress()) ? null : bindAddress();
    }

    /** 0 = any free port. */
    public int serverPort() {
        return get(Settings.SERVER_PORT);
    }

    public Path dataPath() {
        return Path.of(get(Settings.DATA_PATH));
    }

    /** The directory of the journal's files. */
    public Path journalPath() {
        String path = get(Settings.DATA_LOG_PATH);
        return (path.isEmpty() ? dataPath() : Path.of(path)).resolve("journal");
    }

    public int maxConnections() {
        return get(Settings.MAX_CONNECTIONS);
    }

    /** Milliseconds; 0 = never. */
    public int connectionIdleTimeout() {
        return get(Settings.CONNECTION_IDLE_TIMEOUT);
    }

    /** Bytes. */
    public int maxMessageSize() {
        return get(Settings.MAX_MESSAGE_SIZE);
    }

    /** Bytes. */
    public int maxLineSize() {
        return get(Settings.MAX_LINE_SIZE);
    }

    /** Bytes. */
    public long maxInFlightBytes() {
        return get(Settings.MAX_IN_FLIGHT_BYTES);
    }

    /** Bytes that temporary queues and topics may hold. */
    public long maxTemporaryBytes() {
        long configured = get(Settings.MAX_TEMPORARY_BYTES);
        return configured == 0 ? Runtime.getRuntime().maxMemory() / 4 : configured;
    }

    /** Bytes. */
    public int maxTransferSize() {
        return get(Settings.MAX_TRANSFER_SIZE);
    }

    /** Milliseconds. */
    public int maxGetWait() {
        return get(Settings.MAX_GET_WAIT);
    }

    /** Seconds; 0 = no limit. */
    public int maxTxTimeoutInSeconds() {
        return get(Settings.MAX_TX_TIMEOUT_IN_SECONDS);
    }

    /** Free bytes below which messages are refused, on a disk of the given size in bytes. */
    public long diskLowMark(long totalSpace) {
        long share = totalSpace / 100 * get(Settings.DISK_WATERMARK_PERCENT);
        // On a small disk the mark in bytes would refuse everything, always.
        return Math.max(Math.min(get(Settings.DISK_WATERMARK_BYTES), totalSpace / 10), share);
    }

    /** Free bytes from which messages are taken again: a little above the low mark, so that the broker does not flutter. */
    public long diskResumeMark(long totalSpace) {
        long lowMark = diskLowMark(totalSpace);
        return lowMark + lowMark / 8;
    }

    public int maxOpenFiles() {
        return get(Settings.MAX_OPEN_FILES);
    }

    /** 0 = one for each processor. */
    public int ioThreads() {
        return get(Settings.IO_THREADS);
    }

    /** Milliseconds. */
    public int groupSessionTimeout() {
        return get(Settings.GROUP_SESSION_TIMEOUT);
    }

    /** Milliseconds. */
    public int stopTimeout() {
        return get(Settings.STOP_TIMEOUT);
    }

    /** Bytes. */
    public int journalSegmentSize() {
        return get(Settings.JOURNAL_SEGMENT_SIZE);
    }

    /**
     * Milliseconds after which journal records of durability os are synced, the shortest that [system] or a topic asks for;
     * 0 = left to the operating system.
     */
    public int journalFlushInterval() {
        return topics.stream()
                .mapToInt(section -> section.own().over(system).get(Settings.UNFLUSH_INTERVAL))
                .filter(interval -> interval > 0)
                .reduce(Math.max(0, get(Settings.UNFLUSH_INTERVAL)), (a, b) -> a == 0 ? b : Math.min(a, b));
    }

    /** Milliseconds. */
    public int checkpointInterval() {
        return get(Settings.CHECKPOINT_INTERVAL);
    }

    /** Bytes of journal. */
    public long checkpointBytes() {
        return get(Settings.CHECKPOINT_BYTES);
    }

    public boolean updateConsumerOffsets() {
        return get(Settings.UPDATE_CONSUMER_OFFSETS);
    }

    /** Whether clients may work without logging in. */
    public boolean allowAnonymous() {
        return get(Settings.ALLOW_ANONYMOUS);
    }

    /** The file of users; it need not exist. */
    public Path usersFile() {
        String path = get(Settings.USERS_FILE);
        return path.isEmpty() ? dataPath().resolve("users") : Path.of(path);
    }

    public TlsSection tls() {
        return new TlsSection(system);
    }

    public AdminSection admin() {
        return new AdminSection(system);
    }

    /** Whether a destination that a subscription asks for is created at its first use. */
    public boolean createDestinations() {
        return get(Settings.CREATE_DESTINATIONS);
    }

    public ZooKeeperSection zookeeper() {
        return zookeeper;
    }

    /** The value of one of {@link Settings#system()}. */
    public <T> T get(Setting<T> setting) {
        return system.get(setting);
    }

    /** The topics that exist from the start: sections without a wildcard, in the order of the file. */
    public List<TopicConfig> declaredTopics() {
        return topics.stream()
                .filter(section -> !section.isWildcard())
                .map(section -> section.topic(section.name(), system))
                .toList();
    }

    /**
     * The settings with which the first message to a topic creates it: those of its section, else of the most specific
     * wildcard section; where autoCreateTopics is on, those of [system]. Empty: such a topic is not accepted.
     */
    public Optional<TopicConfig> acceptedTopic(String name) {
        return sectionTopic(name)
                .or(() -> get(Settings.AUTO_CREATE_TOPICS) ? Optional.of(topicDefaults(name)) : Optional.empty());
    }

    /**
     * The settings with which the first subscription to a destination creates it. What its section says about the kind goes
     * before what is asked for. Empty: such a destination is not created on demand.
     */
    public Optional<TopicConfig> destinationOnDemand(String name, boolean queue) {
        Optional<TopicConfig> section = sectionTopic(name);
        if (section.isEmpty() && !createDestinations()) {
            return Optional.empty();
        }
        TopicConfig found = section.orElseGet(() -> topicDefaults(name));
        return Optional.of(
                found.sets(Settings.KIND) ? found : found.with(Settings.KIND.name(), queue ? "queue" : "topic"));
    }

    private Optional<TopicConfig> sectionTopic(String name) {
        return topics.stream()
                .filter(section -> section.matches(name))
                .max(Comparator.comparing((TopicSection section) -> !section.isWildcard())
                        .thenComparing(TopicSection::literalCharacters))
                .map(section -> section.topic(name, system));
    }

    /** The settings of a topic that no section mentions, such as one created by command. */
    public TopicConfig topicDefaults(String name) {
        TopicConfig defaults = new TopicConfig(name, SettingValues.NONE.over(system));
        return LargePayload.isCompanion(name) ? defaults.withAll(COMPANION) : defaults;
    }

    /**
     * The bytes of the file, as {@code stats config} gives them out, passwords masked; what the builder was told if there is
     * no file.
     */
    public byte[] source() {
        return source.clone();
    }

    /** CRC-32 of {@link #source()}, unsigned. */
    public long checksum() {
        CRC32 crc = new CRC32();
        crc.update(source);
        return crc.getValue();
    }

    /** Keys that were accepted and have no effect; worth a line in the log each. */
    public List<ConfigProblem> warnings() {
        return warnings;
    }

    /** A builder that begins with this configuration. */
    public BrokerConfigBuilder toBuilder() {
        return new BrokerConfigBuilder(system, zookeeper.values(), topics, source, warnings);
    }
}
