package io.metaq.tck.harness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The original client 1.4.6.2 in a process of its own. */
public final class OriginalClient implements AutoCloseable {
    /** Where a message was stored; {@code partition} is {@code BROKER-PARTITION}. */
    public record Sent(String partition, long offset) {}

    /** A message that a consumer's listener was given. */
    public record Received(
            String topic,
            String partition,
            long id,
            String data,
            @Nullable String attribute) {}

    private final Driver driver;

    private OriginalClient(Driver driver) {
        this.driver = driver;
        driver.nextEvent(Duration.ofSeconds(30));
    }

    /** A client that finds brokers through ZooKeeper at {@code HOST:PORT}. */
    public static OriginalClient through(String zooKeeper) {
        return new OriginalClient(Driver.start("OriginalClient", "zk=" + zooKeeper));
    }

    /** A client of the one broker at {@code HOST:PORT}. */
    public static OriginalClient direct(String broker) {
        return new OriginalClient(Driver.start("OriginalClient", "direct=" + broker));
    }

    public void publish(String topic) {
        driver.request("publish", topic);
    }

    public Sent send(String topic, String data, @Nullable String attribute) {
        return sent(driver.request("send", topic, data, attribute));
    }

    public Sent sendWithCallback(String topic, String data, @Nullable String attribute) {
        return sent(driver.request("callback", topic, data, attribute));
    }

    private static Sent sent(List<@Nullable String> values) {
        if ("failed".equals(values.get(0))) {
            throw new IllegalStateException("not sent: " + values.get(1));
        }
        return new Sent(text(values, 0), Long.parseLong(text(values, 1)));
    }

    /** Begins a local transaction around what {@link #send} sends. @param seconds how long it may take */
    public void begin(int seconds) {
        driver.request("begin", String.valueOf(seconds));
    }

    public void commit() {
        driver.request("commit");
    }

    public void rollback() {
        driver.request("rollback");
    }

    /** Makes a producer of global transactions. */
    public void branches(String topic) {
        driver.request("branches", topic);
    }

    /**
     * Takes a step of a global transaction.
     *
     * @param step a method of XAResource, or {@code commit-one-phase}
     * @return what it returned, in words; or {@code failed CODE}
     */
    public String branch(String step, int number) {
        return driver.request("branch", step, String.valueOf(number)).stream()
                .map(String::valueOf)
                .collect(Collectors.joining(" "));
    }

    public Sent branchSend(String topic, String data) {
        return sent(driver.request("branch-send", topic, data, null));
    }

    /** Starts a member of the group; its messages come by {@link #received()}. */
    public void consume(String topic, String group) {
        driver.request("consume", topic, group);
    }

    /** The messages that came since the last call. */
    public List<Received> received() {
        List<Received> all = new ArrayList<>();
        for (var event = driver.pollEvent(); event != null; event = driver.pollEvent()) {
            all.add(new Received(
                    text(event, 1), text(event, 2), Long.parseLong(text(event, 3)), text(event, 4), event.get(5)));
        }
        return all;
    }

    public List<@Nullable String> browse(String topic) {
        return driver.request("browse", topic);
    }

    public List<@Nullable String> partitions(String topic) {
        return driver.request("partitions", topic);
    }

    /** The answer of the broker, item null for the general one. */
    public Map<String, @Nullable String> stats(@Nullable String item) {
        var values = driver.request("stats", item);
        Map<String, @Nullable String> stats = new LinkedHashMap<>();
        for (int i = 0; i < values.size(); i += 2) {
            stats.put(text(values, i), values.get(i + 1));
        }
        return stats;
    }

    /** Shuts the client down in the orderly way. */
    public void shutdown() {
        driver.request("shutdown");
    }

    private static String text(List<@Nullable String> values, int at) {
        return Objects.requireNonNull(values.get(at));
    }

    @Override
    public void close() {
        driver.close();
    }
}
