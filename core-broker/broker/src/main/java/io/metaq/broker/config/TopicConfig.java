package io.metaq.broker.config;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one topic: its own, and for what it does not set those of [system]. Immutable; to alter a topic take a
 * copy by {@link #with}.
 */
public final class TopicConfig {
    private static final Map<String, Setting<?>> KEYS = Settings.byName(Settings.topic());

    private final String name;
    private final SettingValues values;

    TopicConfig(String name, SettingValues values) {
        this.name = name;
        this.values = values;
    }

    public String name() {
        return name;
    }

    public int numPartitions() {
        return get(Settings.NUM_PARTITIONS);
    }

    /** Whether a message is answered only when it is on disk (group commit); otherwise when the operating system has it. */
    public boolean durableOnDisk() {
        return unflushThreshold() <= 0;
    }

    public int unflushThreshold() {
        return get(Settings.UNFLUSH_THRESHOLD);
    }

    /** Milliseconds; 0 or less = left to the operating system. */
    public int unflushInterval() {
        return get(Settings.UNFLUSH_INTERVAL);
    }

    /** Bytes. */
    public int maxSegmentSize() {
        return get(Settings.MAX_SEGMENT_SIZE);
    }

    public DeletePolicy deletePolicy() {
        return get(Settings.DELETE_POLICY);
    }

    public CronSchedule deleteWhen() {
        return get(Settings.DELETE_WHEN);
    }

    /** Bytes that one partition keeps at most; 0 = no limit. */
    public long retentionBytes() {
        return get(Settings.RETENTION_BYTES);
    }

    public boolean acceptPublish() {
        return get(Settings.ACCEPT_PUBLISH);
    }

    public boolean acceptSubscribe() {
        return get(Settings.ACCEPT_SUBSCRIBE);
    }

    /** Whether the topic is a queue: one subscription, and each message goes to one consumer. */
    public boolean queue() {
        return get(Settings.KIND).equals("queue");
    }

    /** Deliveries of one message to one subscription before it is a dead letter; 0 = no limit. */
    public int maxDeliveries() {
        return get(Settings.MAX_DELIVERIES);
    }

    /**
     * Milliseconds until a message is delivered again.
     *
     * @param failures deliveries of the message that have failed, 1 or more
     */
    public long redeliveryDelay(int failures) {
        long first = get(Settings.REDELIVERY_DELAY);
        double grown = first * Math.pow(get(Settings.REDELIVERY_BACKOFF), Math.max(0, failures - 1));
        // The first delay is what it is, even above the limit of growth.
        return Math.max(first, (long) Math.min(grown, get(Settings.MAX_REDELIVERY_DELAY)));
    }

    /** The queue that takes messages delivered too often; null = they are dropped. */
    public @Nullable String deadLetterQueue() {
        return named(Settings.DEAD_LETTER_QUEUE);
    }

    /** The queue that takes messages expired before delivery; null = they are dropped. */
    public @Nullable String expiryQueue() {
        return named(Settings.EXPIRY_QUEUE);
    }

    /** Whether a queue keeps what was acknowledged until the delete policy takes it. */
    public boolean retainAcknowledged() {
        return get(Settings.RETAIN_ACKNOWLEDGED);
    }

    private @Nullable String named(Setting<String> queue) {
        String name = get(queue);
        return name.equals("none") ? null : name;
    }

    /** Whether the topic's own settings, or its section, say what this is; otherwise it is what [system] or the default says. */
    boolean sets(Setting<?> setting) {
        return ownSettings().containsKey(setting.name());
    }

    /** The value of one of {@link Settings#topic()}. */
    public <T> T get(Setting<T> setting) {
        return values.get(setting);
    }

    SettingValues values() {
        return values;
    }

    /** What the topic itself sets, key to text as in the file, without what it takes from [system]: enough to store it. */
    public Map<String, String> ownSettings() {
        return values.texts();
    }

    /**
     * A copy with one setting changed.
     *
     * @param key one of {@link Settings#topic()}
     * @param text as it would stand in the file
     * @throws IllegalArgumentException with what is wrong and what would be right, in one line
     */
    public TopicConfig with(String key, String text) {
        Setting<?> setting = KEYS.get(key);
        if (setting == null) {
            throw new IllegalArgumentException(
                    key + ": unknown topic setting" + NearestName.hint(key, List.copyOf(KEYS.keySet())));
        }
        try {
            return new TopicConfig(name, values.withText(setting, text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    key + ": '" + text + "' " + e.getMessage() + "; give " + setting.expects(), e);
        }
    }

    /** A copy with several settings changed; see {@link #with}. */
    public TopicConfig withAll(Map<String, String> settings) {
        TopicConfig changed = this;
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            changed = changed.with(setting.getKey(), setting.getValue());
        }
        return changed;
    }

    @Override
    public String toString() {
        return name + ownSettings();
    }
}
