package io.metaq.client;

import io.metaq.protocol.AdminOperation;
import io.metaq.protocol.codec.PercentCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Sends subscription commands by way of the admin's connections, and reads the replies. */
final class BrokerSubscriptions implements SubscriptionAdmin {
    private final BrokerAdmin admin;

    BrokerSubscriptions(BrokerAdmin admin) {
        this.admin = admin;
    }

    @Override
    public void create(String name, Map<String, String> options) {
        admin.everywhere(AdminOperation.SUBSCRIPTION_CREATE, name, options);
    }

    @Override
    public void delete(String name) {
        admin.whereKnown(AdminOperation.SUBSCRIPTION_DELETE, name, Map.of());
    }

    @Override
    public List<SubscriptionSummary> list(String glob, @Nullable String topic) {
        Map<String, SubscriptionSummary> found = new TreeMap<>();
        Map<String, String> options = topic == null ? Map.of() : Map.of("topic", topic);
        for (BrokerAdmin.Reply reply : admin.everywhere(AdminOperation.SUBSCRIPTION_LIST, glob, options)) {
            for (String line : TopicText.lines(reply.result().text())) {
                SubscriptionSummary one = summary(line);
                found.merge(one.name(), one, BrokerSubscriptions::sum);
            }
        }
        return List.copyOf(found.values());
    }

    /** {@code NAME topic T kind K consumers N depth N}, names percent-encoded. */
    private static SubscriptionSummary summary(String line) {
        Map<String, String> words = TopicText.pairs("name " + line);
        return new SubscriptionSummary(
                PercentCode.decode(words.getOrDefault("name", "")),
                PercentCode.decode(words.getOrDefault("topic", "")),
                words.getOrDefault("kind", ""),
                Long.parseLong(words.getOrDefault("consumers", "0")),
                Long.parseLong(words.getOrDefault("depth", "0")));
    }

    private static SubscriptionSummary sum(SubscriptionSummary one, SubscriptionSummary other) {
        return new SubscriptionSummary(
                one.name(), one.topic(), one.kind(), one.consumers() + other.consumers(), one.depth() + other.depth());
    }

    @Override
    public Map<BrokerAddress, List<String>> describe(String name) {
        return lines(AdminOperation.SUBSCRIPTION_DESCRIBE, name, Map.of());
    }

    @Override
    public void purge(String name) {
        admin.whereKnown(AdminOperation.SUBSCRIPTION_PURGE, name, Map.of());
    }

    @Override
    public void seek(String name, String to, int partition) {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("to", to);
        if (partition != TopicPartition.ANY) {
            options.put("partition", Integer.toString(partition));
        }
        admin.whereKnown(AdminOperation.SUBSCRIPTION_SEEK, name, options);
    }

    @Override
    public void pause(String name) {
        admin.whereKnown(AdminOperation.SUBSCRIPTION_PAUSE, name, Map.of());
    }

    @Override
    public void resume(String name) {
        admin.whereKnown(AdminOperation.SUBSCRIPTION_RESUME, name, Map.of());
    }

    @Override
    public long move(String name, Map<String, String> options) {
        String count = options.get("count");
        return count == null
                ? moved(admin.whereKnown(AdminOperation.SUBSCRIPTION_MOVE, name, options))
                : movedOneByOne(AdminOperation.SUBSCRIPTION_MOVE, name, options, Long.parseLong(count));
    }

    @Override
    public long redrive(String name, long most) {
        return most == Long.MAX_VALUE
                ? moved(admin.whereKnown(AdminOperation.SUBSCRIPTION_REDRIVE, name, Map.of()))
                : movedOneByOne(AdminOperation.SUBSCRIPTION_REDRIVE, name, Map.of(), most);
    }

    /** One broker after the other, since each knows its own messages only and the count is for all of them. */
    private long movedOneByOne(AdminOperation operation, String name, Map<String, String> options, long most) {
        List<BrokerNode> nodes = new ArrayList<>();
        admin.whereKnown(AdminOperation.SUBSCRIPTION_DESCRIBE, name, Map.of())
                .forEach(reply -> nodes.add(reply.node()));
        long moved = 0;
        for (BrokerNode node : nodes) {
            if (moved < most) {
                Map<String, String> rest = new LinkedHashMap<>(options);
                rest.put("count", Long.toString(most - moved));
                moved += moved(admin.only(node.address()).whereKnown(operation, name, rest));
            }
        }
        return moved;
    }

    private static long moved(List<BrokerAdmin.Reply> replies) {
        long moved = 0;
        for (BrokerAdmin.Reply reply : replies) {
            moved += Long.parseLong(
                    TopicText.pairs(reply.result().text().strip()).getOrDefault("moved", "0"));
        }
        return moved;
    }

    @Override
    public Map<BrokerAddress, List<String>> explain(String name, @Nullable String selector) {
        return lines(
                AdminOperation.SUBSCRIPTION_EXPLAIN, name, selector == null ? Map.of() : Map.of("selector", selector));
    }

    private Map<BrokerAddress, List<String>> lines(AdminOperation operation, String name, Map<String, String> options) {
        Map<BrokerAddress, List<String>> lines = new LinkedHashMap<>();
        for (BrokerAdmin.Reply reply : admin.whereKnown(operation, name, options)) {
            lines.put(reply.node().address(), TopicText.lines(reply.result().text()));
        }
        return lines;
    }
}
