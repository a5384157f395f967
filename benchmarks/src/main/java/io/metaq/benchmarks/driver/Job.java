package io.metaq.benchmarks.driver;

import java.util.Map;

/**
 * What the coordinator asks of a driver: a workload and its settings. A setting that a workload does not know is left
 * unread, so that one job can carry what several peers need.
 */
public record Job(Map<String, String> settings) {

    public static Job parse(String line) {
        return new Job(KeyValueLine.parse(line));
    }

    public String text(String key) {
        String value = settings.get(key);
        if (value == null) {
            throw new IllegalArgumentException("the job has no " + key + ": " + settings);
        }
        return value;
    }

    public String text(String key, String otherwise) {
        return settings.getOrDefault(key, otherwise);
    }

    public long number(String key, long otherwise) {
        String value = settings.get(key);
        return value == null ? otherwise : Long.parseLong(value);
    }

    public String workload() {
        return text("workload");
    }

    public String topic() {
        return text("topic");
    }

    /** Whether an acknowledged message must have been synced to the disk. */
    public boolean syncsToDisk() {
        return text("durability", "os").equals("disk");
    }

    public int bodyBytes() {
        return (int) number("size", 1024);
    }

    public long measuredNanos() {
        return (long) (Double.parseDouble(text("seconds", "5")) * 1e9);
    }

    /** Time that passes under load before the measured time begins. */
    public long settleNanos() {
        return (long) (Double.parseDouble(text("settle", "1")) * 1e9);
    }
}
