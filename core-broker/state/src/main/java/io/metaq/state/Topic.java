package io.metaq.state;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A topic and its partitions. Changed on the writer thread only, read by any. */
public final class Topic {
    private final int id;
    private final String name;
    private volatile Partition[] partitions = new Partition[0];
    private volatile Map<String, String> settings;

    Topic(int id, String name, Map<String, String> settings) {
        this.id = id;
        this.name = name;
        this.settings = Map.copyOf(settings);
    }

    /** Number of the topic: never used again, not even for a topic of the same name. */
    public int id() {
        return id;
    }

    public String name() {
        return name;
    }

    /** The topic's own settings, over those of the configuration file. */
    public Map<String, String> settings() {
        return settings;
    }

    public int partitionCount() {
        return partitions.length;
    }

    /** The partition, or null if the topic has none of this index. */
    public @Nullable Partition partition(int index) {
        Partition[] now = partitions;
        return index >= 0 && index < now.length ? now[index] : null;
    }

    /** The partitions by index; not to be changed. */
    public Partition[] partitions() {
        return partitions;
    }

    void settings(Map<String, String> now) {
        settings = Map.copyOf(now);
    }

    void partitions(Partition[] now) {
        partitions = now;
    }
}
