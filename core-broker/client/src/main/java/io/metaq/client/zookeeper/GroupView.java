package io.metaq.client.zookeeper;

import io.metaq.client.BalanceRule;
import io.metaq.client.RouteSource.Use;
import io.metaq.client.TopicPartition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/** A group as one member sees it: who is in it, which partitions there are, which of them are this member's to own. */
final class GroupView {

    /**
     * What was read.
     *
     * @param listed all partitions of this member's topics that brokers offer
     * @param mine those of them that the rule gives to this member
     */
    record Shares(Set<TopicPartition> listed, Set<TopicPartition> mine) {}

    private final ZooKeeperPaths paths;
    private final BrokerNodes brokerNodes;
    private final String group;
    private final String member;
    private final Set<String> topics;
    private final BalanceRule rule;

    GroupView(
            ZooKeeperPaths paths,
            BrokerNodes brokerNodes,
            String group,
            String member,
            Set<String> topics,
            BalanceRule rule) {
        this.paths = paths;
        this.brokerNodes = brokerNodes;
        this.group = group;
        this.member = member;
        this.topics = Set.copyOf(topics);
        this.rule = rule;
    }

    String group() {
        return group;
    }

    String member() {
        return member;
    }

    /** The member's node, whose data is the list of topics. */
    String memberPath() {
        return paths.members(group) + "/" + member;
    }

    String memberData() {
        return String.join(",", new TreeSet<>(topics));
    }

    /** Those of {@code listed} that no member owns. */
    Set<TopicPartition> orphans(ZooKeeper zooKeeper, Set<TopicPartition> listed)
            throws KeeperException, InterruptedException {
        Set<TopicPartition> orphans = new HashSet<>(listed);
        for (String topic : topics) {
            for (String name : Nodes.children(zooKeeper, paths.owners(group, topic), null)) {
                orphans.removeIf(partition ->
                        partition.topic().equals(topic) && partition.shortName().equals(name));
            }
        }
        return orphans;
    }

    boolean hasMaster(ZooKeeper zooKeeper, int broker) throws KeeperException, InterruptedException {
        return brokerNodes.hasMaster(zooKeeper, broker, null);
    }

    /** Reads members and partitions; the watcher is told once when either changes. */
    Shares read(ZooKeeper zooKeeper, @Nullable Watcher watcher) throws KeeperException, InterruptedException {
        Map<String, List<String>> membersByTopic = members(zooKeeper, watcher);
        Set<TopicPartition> listed = new HashSet<>();
        Set<TopicPartition> mine = new HashSet<>();
        for (String topic : topics) {
            List<String> partitions = partitions(zooKeeper, topic, watcher);
            List<String> members = membersByTopic.getOrDefault(topic, List.of());
            partitions.forEach(name -> listed.add(partition(topic, name)));
            for (String name : Assignment.share(rule, member, members, partitions)) {
                mine.add(partition(topic, name));
            }
        }
        return new Shares(listed, mine);
    }

    /** Sorted as text: {@code 0-10} comes before {@code 0-2}. */
    private List<String> partitions(ZooKeeper zooKeeper, String topic, @Nullable Watcher watcher)
            throws KeeperException, InterruptedException {
        List<String> names = new ArrayList<>();
        brokerNodes.partitions(zooKeeper, topic, Use.SUBSCRIBE, watcher).forEach((broker, count) -> {
            for (int i = 0; i < count; i++) {
                names.add(broker + "-" + i);
            }
        });
        names.sort(null);
        return names;
    }

    private Map<String, List<String>> members(ZooKeeper zooKeeper, @Nullable Watcher watcher)
            throws KeeperException, InterruptedException {
        Map<String, List<String>> membersByTopic = new HashMap<>();
        List<String> names = new ArrayList<>(Nodes.children(zooKeeper, paths.members(group), watcher));
        names.sort(null);
        for (String name : names) {
            String data = Nodes.text(zooKeeper, paths.members(group) + "/" + name, null);
            if (data != null) {
                Arrays.stream(data.split(","))
                        .filter(topic -> !topic.isBlank())
                        .distinct()
                        .forEach(topic -> membersByTopic
                                .computeIfAbsent(topic, t -> new ArrayList<>())
                                .add(name));
            }
        }
        return membersByTopic;
    }

    private static TopicPartition partition(String topic, String name) {
        int dash = name.indexOf('-');
        return new TopicPartition(
                topic, Integer.parseInt(name.substring(0, dash)), Integer.parseInt(name.substring(dash + 1)));
    }
}
