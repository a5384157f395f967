package io.metaq.tck.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;

/** What ZooKeeper shows of a group, seen from outside. */
final class GroupNodes implements AutoCloseable {
    private final ZooKeeper zooKeeper;
    private final String group;
    private final String topic;

    GroupNodes(String connect, String group, String topic) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        this.zooKeeper = new ZooKeeper(connect, 30_000, event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        connected.await();
        this.group = "/meta/consumers/" + group;
        this.topic = topic;
    }

    /** Sorted as text. */
    List<String> members() throws Exception {
        return children(group + "/ids").stream().sorted().toList();
    }

    /** Partition to member. */
    Map<String, String> owners() throws Exception {
        Map<String, String> owners = new TreeMap<>();
        String folder = group + "/owners/" + topic;
        for (String partition : children(folder)) {
            try {
                owners.put(partition, new String(zooKeeper.getData(folder + "/" + partition, false, null), UTF_8));
            } catch (KeeperException.NoNodeException e) {
                continue;
            }
        }
        return owners;
    }

    List<String> partitionsOf(String member) throws Exception {
        List<String> partitions = new ArrayList<>();
        owners().forEach((partition, owner) -> {
            if (owner.equals(member)) {
                partitions.add(partition);
            }
        });
        return partitions;
    }

    /** As it is stored: {@code <message id>-<offset>}. */
    String offset(String partition) throws Exception {
        return new String(zooKeeper.getData(group + "/offsets/" + topic + "/" + partition, false, null), UTF_8);
    }

    /** Who shall own what, worked out in the plainest way: broker 0 has partitions 0 to count - 1. */
    Map<String, String> ranges(List<String> members, int count) {
        List<String> partitions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            partitions.add("0-" + i);
        }
        partitions.sort(null);
        Map<String, String> owners = new TreeMap<>();
        int next = 0;
        for (int i = 0; i < members.size(); i++) {
            int share = count / members.size() + (i < count % members.size() ? 1 : 0);
            for (String partition : partitions.subList(next, next + share)) {
                owners.put(partition, members.get(i));
            }
            next += share;
        }
        return owners;
    }

    private List<String> children(String path) throws Exception {
        try {
            return zooKeeper.getChildren(path, false);
        } catch (KeeperException.NoNodeException e) {
            return List.of();
        }
    }

    @Override
    public void close() throws InterruptedException {
        zooKeeper.close();
    }
}
