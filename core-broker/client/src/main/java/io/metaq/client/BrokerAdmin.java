package io.metaq.client;

import io.metaq.client.net.Transport.Purpose;
import io.metaq.protocol.AdminOperation;
import io.metaq.protocol.Response;
import io.metaq.protocol.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Sends topic and group commands to all brokers or to one, and reads the replies. */
final class BrokerAdmin implements Admin {

    /** For what is answered when every message has been read or moved. */
    private static final Duration LONG_PATIENCE = Duration.ofHours(4);

    private final ClientCore core;
    private final @Nullable BrokerAddress only;

    BrokerAdmin(ClientCore core, @Nullable BrokerAddress only) {
        this.core = core;
        this.only = only;
    }

    /** One broker's reply. */
    record Reply(BrokerNode node, Response.Result result) {}

    @Override
    public Admin on(BrokerAddress server) {
        return only(server);
    }

    BrokerAdmin only(BrokerAddress server) {
        return new BrokerAdmin(core, server);
    }

    @Override
    public SubscriptionAdmin subscriptions() {
        return new BrokerSubscriptions(this);
    }

    @Override
    public TransactionAdmin transactions() {
        return new BrokerTransactions(this);
    }

    @Override
    public void createTopic(String topic, int partitions, Map<String, String> settings) {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("partitions", Integer.toString(partitions));
        options.putAll(settings);
        everywhere(AdminOperation.TOPIC_CREATE, topic, options);
    }

    @Override
    public void alterTopic(String topic, Map<String, String> settings) {
        whereKnown(AdminOperation.TOPIC_ALTER, topic, settings);
    }

    @Override
    public void deleteTopic(String topic) {
        whereKnown(AdminOperation.TOPIC_DELETE, topic, Map.of());
    }

    @Override
    public void closeTopic(String topic, PartitionRange range, TopicUse use) {
        whereKnown(AdminOperation.TOPIC_CLOSE, topic, rangeOptions(range, use));
    }

    @Override
    public void openTopic(String topic, PartitionRange range, TopicUse use) {
        whereKnown(AdminOperation.TOPIC_OPEN, topic, rangeOptions(range, use));
    }

    private static Map<String, String> rangeOptions(PartitionRange range, TopicUse use) {
        Map<String, String> options = rangeOptions(range);
        options.put("for", use.name().toLowerCase(Locale.ROOT));
        return options;
    }

    private static Map<String, String> rangeOptions(PartitionRange range) {
        Map<String, String> options = new LinkedHashMap<>();
        if (!range.equals(PartitionRange.ALL)) {
            boolean one = range.first() == range.last();
            options.put("partition", one ? "" + range.first() : range.first() + "-" + range.last());
        }
        return options;
    }

    @Override
    public Map<BrokerAddress, List<String>> scrubTopic(String topic, PartitionRange range) {
        Map<BrokerAddress, List<String>> lines = new LinkedHashMap<>();
        for (Reply reply : whereKnown(AdminOperation.TOPIC_SCRUB, topic, rangeOptions(range))) {
            lines.put(reply.node.address(), TopicText.lines(reply.result.text()));
        }
        return lines;
    }

    @Override
    public List<TopicSummary> listTopics(String glob) {
        Map<String, Integer> partitions = new TreeMap<>();
        for (Reply reply : everywhere(AdminOperation.TOPIC_LIST, glob, Map.of())) {
            for (TopicSummary topic : TopicText.summaries(reply.result.text())) {
                partitions.merge(topic.name(), topic.partitions(), Integer::sum);
            }
        }
        List<TopicSummary> topics = new ArrayList<>();
        partitions.forEach((name, count) -> topics.add(new TopicSummary(name, count)));
        return topics;
    }

    @Override
    public List<TopicDescription> describeTopic(String topic) {
        List<TopicDescription> descriptions = new ArrayList<>();
        for (Reply reply : whereKnown(AdminOperation.TOPIC_DESCRIBE, topic, Map.of())) {
            descriptions.add(TopicText.description(topic, reply.node, reply.result.text()));
        }
        return descriptions;
    }

    @Override
    public List<String> listGroups() {
        TreeSet<String> names = new TreeSet<>();
        for (Reply reply : everywhere(AdminOperation.GROUP_LIST, "*", Map.of())) {
            for (String line : TopicText.lines(reply.result.text())) {
                names.add(line.split(" ", 2)[0]);
            }
        }
        return List.copyOf(names);
    }

    @Override
    public Map<BrokerAddress, List<String>> describeGroup(String group) {
        Map<BrokerAddress, List<String>> lines = new LinkedHashMap<>();
        for (Reply reply : whereKnown(AdminOperation.GROUP_DESCRIBE, group, Map.of())) {
            lines.put(reply.node.address(), TopicText.lines(reply.result.text()));
        }
        return lines;
    }

    @Override
    public List<GroupOffset> groupOffsets(String group, String topic) {
        return offsets(AdminOperation.GROUP_OFFSETS, group, topic);
    }

    @Override
    public List<GroupOffset> groupHistory(String group, String topic) {
        return offsets(AdminOperation.GROUP_HISTORY, group, topic);
    }

    private List<GroupOffset> offsets(AdminOperation operation, String group, String topic) {
        Map<String, String> options = topic.isEmpty() ? Map.of() : Map.of("topic", topic);
        List<GroupOffset> offsets = new ArrayList<>();
        for (Reply reply : whereKnown(operation, group, options)) {
            offsets.addAll(TopicText.offsets(reply.node.id(), reply.result.text()));
        }
        return offsets;
    }

    @Override
    public void commitOffset(String group, TopicPartition partition, StoredOffset offset) {
        for (BrokerNode node : nodes()) {
            if (node.id() == partition.broker()) {
                Reply reply = await(
                        new Asked(
                                node,
                                ask(
                                        node,
                                        AdminOperation.GROUP_COMMIT,
                                        group,
                                        Map.of(
                                                "topic", partition.topic(),
                                                "partition", Integer.toString(partition.partition()),
                                                "offset", Long.toString(offset.offset()),
                                                "id", Long.toString(offset.messageId())))),
                        AdminOperation.GROUP_COMMIT);
                requireOk(reply, AdminOperation.GROUP_COMMIT, group);
                return;
            }
        }
        throw Failures.noPartition(partition.topic(), partition.partition());
    }

    @Override
    public void resetGroup(String group, String topic, int partition, String to) {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("topic", topic);
        if (partition != TopicPartition.ANY) {
            options.put("partition", Integer.toString(partition));
        }
        options.put("to", to);
        whereKnown(AdminOperation.GROUP_RESET, group, options);
    }

    @Override
    public void deleteGroup(String group) {
        whereKnown(AdminOperation.GROUP_DELETE, group, Map.of());
    }

    /** Every broker has to do it. */
    List<Reply> everywhere(AdminOperation operation, String name, Map<String, String> options) {
        List<Reply> replies = askAll(operation, name, options);
        replies.forEach(reply -> requireOk(reply, operation, name));
        return replies;
    }

    /** Every broker that knows the name has to do it, and at least one has to know it. */
    List<Reply> whereKnown(AdminOperation operation, String name, Map<String, String> options) {
        List<Reply> known = new ArrayList<>();
        Reply unknown = null;
        for (Reply reply : askAll(operation, name, options)) {
            if (reply.result.code() == Status.NOT_FOUND.code()) {
                unknown = reply;
            } else {
                requireOk(reply, operation, name);
                known.add(reply);
            }
        }
        if (known.isEmpty() && unknown != null) {
            requireOk(unknown, operation, name);
        }
        return known;
    }

    private static void requireOk(Reply reply, AdminOperation operation, String name) {
        String what = operation.family().word() + " " + operation.word() + " " + name;
        if (!reply.result.ok()) {
            throw Failures.status(what, reply.result.code(), reply.result.text(), reply.node.address(), null);
        }
    }

    private List<BrokerNode> nodes() {
        List<BrokerNode> nodes = new ArrayList<>(core.nodes());
        BrokerAddress wanted = only;
        if (wanted != null) {
            nodes.removeIf(node -> !node.address().equals(wanted));
        }
        if (nodes.isEmpty()) {
            throw Failures.noBroker(wanted);
        }
        return nodes;
    }

    private record Asked(BrokerNode node, CompletableFuture<Response.Result> answer) {}

    private List<Reply> askAll(AdminOperation operation, String name, Map<String, String> options) {
        List<Asked> asked = new ArrayList<>();
        for (BrokerNode node : nodes()) {
            asked.add(new Asked(node, ask(node, operation, name, options)));
        }
        List<Reply> replies = new ArrayList<>();
        asked.forEach(one -> replies.add(await(one, operation)));
        return replies;
    }

    private CompletableFuture<Response.Result> ask(
            BrokerNode node, AdminOperation operation, String name, Map<String, String> options) {
        return Calls.admin(
                core.brokers().link(node.address(), Purpose.CONTROL),
                node.address(),
                patience(operation).toMillis(),
                operation,
                name,
                options);
    }

    private Reply await(Asked asked, AdminOperation operation) {
        String what = operation.family().word() + " " + operation.word();
        return new Reply(
                asked.node,
                Calls.await(
                        asked.answer, what, patience(operation).multipliedBy(2).plusSeconds(4)));
    }

    private Duration patience(AdminOperation operation) {
        return switch (operation) {
            case TOPIC_SCRUB, SUBSCRIPTION_MOVE, SUBSCRIPTION_REDRIVE -> LONG_PATIENCE;
            default -> core.requestTimeout();
        };
    }
}
