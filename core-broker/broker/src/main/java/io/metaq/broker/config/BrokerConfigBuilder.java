package io.metaq.broker.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Makes a {@link BrokerConfig} in code, or changes a few values of one that was read. Not safe for threads. */
public final class BrokerConfigBuilder {
    private SettingValues system;
    private SettingValues zookeeper;
    private final List<TopicSection> topics;
    private byte[] source;
    private final List<ConfigProblem> problems;

    BrokerConfigBuilder() {
        this(SettingValues.NONE, SettingValues.NONE.with(Settings.ZK_ENABLE, false), List.of(), new byte[0], List.of());
    }

    BrokerConfigBuilder(
            SettingValues system,
            SettingValues zookeeper,
            List<TopicSection> topics,
            byte[] source,
            List<ConfigProblem> problems) {
        this.system = system;
        this.zookeeper = zookeeper;
        this.topics = new ArrayList<>(topics);
        this.source = source;
        this.problems = new ArrayList<>(problems);
    }

    /** A builder with the values of a file; its mistakes come out at {@link #build}. */
    public static BrokerConfigBuilder from(Path file) throws IOException {
        return ConfigReader.read(file);
    }

    public BrokerConfigBuilder dataPath(Path path) {
        return set(Settings.DATA_PATH, path.toString());
    }

    /** 0 = any free port. */
    public BrokerConfigBuilder serverPort(int port) {
        return set(Settings.SERVER_PORT, port);
    }

    /** HTTP, if there is any, at a free port. */
    public BrokerConfigBuilder anyAdminPort() {
        return system.get(Settings.ADMIN_PORT) < 0 ? this : set(Settings.ADMIN_PORT, 0);
    }

    /** Sets one of {@link Settings#system()}; the value is not checked for its range. */
    public <T> BrokerConfigBuilder set(Setting<T> setting, T value) {
        system = system.with(setting, value);
        return this;
    }

    /** Sets one of {@link Settings#zookeeper()}. */
    public <T> BrokerConfigBuilder zookeeper(Setting<T> setting, T value) {
        zookeeper = zookeeper.with(setting, value);
        return this;
    }

    /** Declares a topic with the defaults of [system]. */
    public BrokerConfigBuilder topic(String nameOrPattern, int partitions) {
        return topic(nameOrPattern, Map.of(Settings.NUM_PARTITIONS.name(), Integer.toString(partitions)));
    }

    /**
     * Declares a topic, or with a {@code *} in the name a wildcard section.
     *
     * @param settings key to text, as in a [topic=NAME] section
     * @throws IllegalArgumentException with what is wrong and what would be right
     */
    public BrokerConfigBuilder topic(String nameOrPattern, Map<String, String> settings) {
        TopicConfig checked = new TopicConfig(nameOrPattern, SettingValues.NONE).withAll(settings);
        topics.add(new TopicSection(nameOrPattern, checked.values()));
        return this;
    }

    /** @throws ConfigException if a file was read that has mistakes, or values contradict each other */
    public BrokerConfig build() throws ConfigException {
        List<ConfigProblem> all = problems();
        List<ConfigProblem> fatal = all.stream().filter(ConfigProblem::fatal).toList();
        if (!fatal.isEmpty()) {
            throw new ConfigException(fatal);
        }
        return new BrokerConfig(system, zookeeper, topics, source.length > 0 ? source : text(), all);
    }

    List<ConfigProblem> problems() {
        List<ConfigProblem> all = new ArrayList<>(problems);
        int largestRecord = system.get(Settings.JOURNAL_SEGMENT_SIZE) / 2;
        if (system.get(Settings.MAX_MESSAGE_SIZE) > largestRecord) {
            all.add(contradiction(
                    Settings.MAX_MESSAGE_SIZE,
                    "is more than half of journalSegmentSize; give at most " + largestRecord
                            + ", or a larger journalSegmentSize"));
        }
        if (system.get(Settings.MAX_MESSAGE_SIZE) > system.get(Settings.MAX_IN_FLIGHT_BYTES)) {
            all.add(contradiction(
                    Settings.MAX_MESSAGE_SIZE,
                    "is more than maxInFlightBytes; give at most " + system.get(Settings.MAX_IN_FLIGHT_BYTES)));
        }
        if (system.get(Settings.TLS_PORT) >= 0
                && system.get(Settings.TLS_KEY_STORE).isEmpty()) {
            all.add(contradiction(Settings.TLS_PORT, "needs a certificate; give tlsKeyStore, or -1 for no TLS"));
        }
        if (system.get(Settings.ADMIN_TLS) && system.get(Settings.TLS_KEY_STORE).isEmpty()) {
            all.add(contradiction(Settings.ADMIN_TLS, "needs a certificate; give tlsKeyStore, or false for no TLS"));
        }
        if (!system.get(Settings.TLS_CLIENT_AUTH).equals("none")
                && system.get(Settings.TLS_TRUST_STORE).isEmpty()) {
            all.add(contradiction(
                    Settings.TLS_CLIENT_AUTH, "needs certificates to compare with; give tlsTrustStore, or none"));
        }
        return all;
    }

    private ConfigProblem contradiction(Setting<?> setting, String text) {
        return new ConfigProblem(
                true, "configuration", "system", setting.name(), "'" + system.get(setting) + "' " + text);
    }

    /** The configuration as a file would have it, for those who ask for the bytes of a file that never was. */
    private byte[] text() {
        StringBuilder text = new StringBuilder();
        section(text, "system", system);
        section(text, "zookeeper", zookeeper);
        topics.forEach(topic -> section(text, "topic=" + topic.name(), topic.own()));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void section(StringBuilder text, String name, SettingValues values) {
        text.append('[').append(name).append("]\n");
        values.texts()
                .forEach((key, value) ->
                        text.append(key).append('=').append(value).append('\n'));
    }
}
