package io.metaq.broker.stats;

import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.TopicConfig;
import io.metaq.state.BrokerState;
import io.metaq.state.Partition;
import io.metaq.state.Topic;
import io.metaq.state.transaction.Transaction;
import java.io.IOException;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** The texts of the stats command; keys, order and form are 1.4's, whose tools parse them. */
public final class StatsReport {
    private static final String END_OF_LINE = "\r\n";

    private final BrokerConfig config;
    private final BrokerState state;
    private final BrokerCounters counters;
    private final Function<Topic, TopicConfig> settings;
    private final Server server;

    /** What the report says of the process and its port. */
    public record Server(String version, IntSupplier port, IntSupplier connections) {}

    public StatsReport(
            BrokerConfig config,
            BrokerState state,
            BrokerCounters counters,
            Function<Topic, TopicConfig> settings,
            Server server) {
        this.config = config;
        this.state = state;
        this.counters = counters;
        this.settings = settings;
        this.server = server;
    }

    /** The report on an item; an unknown item is a topic's name. */
    public String of(@Nullable String item) throws IOException {
        StringBuilder lines = new StringBuilder("STATS").append(END_OF_LINE);
        switch (item == null ? "" : item) {
            case "" -> broker(lines);
            case "help" -> help(lines);
            case "topics" -> topics(lines);
            case "offsets" -> offsets(lines);
            case "realtime" -> counters.report(lines);
            case "reset" -> {
                counters.reset();
                lines.append("reset ok").append(END_OF_LINE);
            }
            default -> topic(lines, String.valueOf(item));
        }
        return lines.append("END").append(END_OF_LINE).toString();
    }

    private void broker(StringBuilder lines) throws IOException {
        long messages = 0;
        for (Topic topic : state.topics()) {
            messages += messages(topic);
        }
        line(lines, "pid", ProcessHandle.current().pid());
        line(lines, "broker_id", config.brokerId());
        line(lines, "port", server.port().getAsInt());
        line(lines, "uptime", counters.uptimeSeconds());
        line(lines, "version", server.version());
        line(lines, "slave", false);
        line(lines, "curr_connections", server.connections().getAsInt());
        line(lines, "threads", Thread.activeCount());
        line(lines, "cmd_put", counters.total(BrokerCounters.Item.PUT));
        line(lines, "cmd_get", counters.total(BrokerCounters.Item.GET));
        line(lines, "cmd_offset", counters.total(BrokerCounters.Item.OFFSET));
        line(lines, "tx_begin", counters.transactions().begun());
        line(lines, "tx_xa_begin", counters.transactions().begunGlobal());
        line(lines, "tx_commit", counters.transactions().committed());
        line(lines, "tx_rollback", counters.transactions().rolledBack());
        line(lines, "get_miss", counters.total(BrokerCounters.Item.GET_MISS));
        line(lines, "put_failed", counters.total(BrokerCounters.Item.PUT_FAILED));
        line(lines, "total_messages", messages);
        line(lines, "topics", state.topics().size());
        line(lines, "config_checksum", config.checksum());
        transactions(lines);
    }

    /** What an operator wants to be woken for: a branch that is in doubt for long holds messages, and nobody decides. */
    private void transactions(StringBuilder lines) {
        long inDoubt = 0;
        long since = Long.MAX_VALUE;
        for (Transaction each : state.transactions().prepared()) {
            if (each.phase() == Transaction.Phase.PREPARED) {
                inDoubt++;
                since = Math.min(since, each.preparedMs());
            }
        }
        line(lines, "tx_open", state.transactions().active().size());
        line(lines, "tx_in_doubt", inDoubt);
        line(lines, "tx_in_doubt_since", inDoubt == 0 ? 0 : since);
    }

    private static void help(StringBuilder lines) {
        line(lines, "*EMPTY*", "Returns broker info.");
        line(lines, "help", "Returns help menu.");
        line(lines, "topics", "Returns topics statistics detail info.");
        line(lines, "offsets", "Returns partitions detail info.");
        line(lines, "realtime", "Returns realtime statistics detail info.");
        line(lines, "config", "Returns broker's config file content.");
    }

    private void topics(StringBuilder lines) throws IOException {
        StringBuilder empty = new StringBuilder();
        for (Topic topic : state.topics()) {
            if (hasData(topic)) {
                TopicConfig now = settings.apply(topic);
                lines.append(topic.name()).append(" partitions ").append(topic.partitionCount());
                lines.append(" message_count ").append(messages(topic));
                lines.append(" message_bytes ").append(bytes(topic));
                lines.append(" accept_publish ").append(now.acceptPublish());
                lines.append(" accept_subscribe ").append(now.acceptSubscribe()).append(END_OF_LINE);
            } else {
                line(empty, topic.name(), "*Empty*");
            }
        }
        lines.append(empty);
    }

    private void offsets(StringBuilder lines) {
        for (Topic topic : state.topics()) {
            for (Partition partition : topic.partitions()) {
                if (partition.log().endOffset() > 0) {
                    lines.append(topic.name())
                            .append(" part ")
                            .append(partition.name().partition());
                    lines.append(" min_offset ").append(partition.log().startOffset());
                    lines.append(" max_offset ")
                            .append(partition.log().endOffset())
                            .append(END_OF_LINE);
                }
            }
        }
    }

    /** As 1.4: result code 0 has data, 1 unknown, 2 known but empty. */
    private void topic(StringBuilder lines, String name) throws IOException {
        Topic topic = state.topic(name);
        boolean data = topic != null && hasData(topic);
        lines.append(name).append(END_OF_LINE);
        line(lines, "resultCode", topic == null ? 1 : data ? 0 : 2);
        line(lines, "partitions", topic != null && data ? topic.partitionCount() : 0);
        line(lines, "message_count", topic == null ? 0 : messages(topic));
        line(lines, "bytes", topic == null ? 0 : bytes(topic));
        counters.report(lines, name);
    }

    private static boolean hasData(Topic topic) {
        for (Partition partition : topic.partitions()) {
            if (partition.log().endOffset() > 0) {
                return true;
            }
        }
        return false;
    }

    private static long messages(Topic topic) throws IOException {
        long sum = 0;
        for (Partition partition : topic.partitions()) {
            sum += partition.log().messageCount();
        }
        return sum;
    }

    private static long bytes(Topic topic) {
        long sum = 0;
        for (Partition partition : topic.partitions()) {
            sum += partition.log().endOffset() - partition.log().startOffset();
        }
        return sum;
    }

    private static void line(StringBuilder lines, String key, Object value) {
        lines.append(key).append(' ').append(value).append(END_OF_LINE);
    }
}
