package io.metaq.broker.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ephemeral nodes of this broker in one ZooKeeper session, brought from what they are to what they shall be.
 * Requests are pipelined: ten thousand topics are thirty thousand nodes, and a round trip for each would take minutes.
 *
 * <p>Only for nodes whose name holds this broker's id, after that id was claimed: a node of another session is replaced.
 * Used by one thread.
 */
final class EphemeralNodes {
    private static final Logger LOG = LoggerFactory.getLogger(EphemeralNodes.class);

    private final Map<String, String> held = new HashMap<>();
    private final Set<String> refused = new HashSet<>();

    /** A new session starts without nodes. */
    void forget() {
        held.clear();
    }

    /**
     * Creates, replaces and deletes until exactly {@code wanted} (path to data) is there. When it throws, what was done
     * stays done and the next call goes on from there.
     */
    void update(ZooKeeper zooKeeper, Map<String, String> wanted) throws KeeperException, InterruptedException {
        Map<String, String> missing = new HashMap<>();
        Map<String, String> changed = new HashMap<>();
        wanted.forEach((path, data) -> {
            String now = held.get(path);
            if (now == null) {
                missing.put(path, data);
            } else if (!now.equals(data)) {
                changed.put(path, data);
            }
        });
        List<String> surplus = new ArrayList<>(held.keySet());
        surplus.removeAll(wanted.keySet());

        delete(zooKeeper, surplus);
        changed.putAll(create(zooKeeper, missing));
        replace(zooKeeper, changed);
    }

    /** Returns those that exist already: left by an earlier session, or by a request whose answer was lost. */
    private Map<String, String> create(ZooKeeper zooKeeper, Map<String, String> nodes)
            throws KeeperException, InterruptedException {
        Map<String, String> existing = new ConcurrentHashMap<>();
        Set<String> created = ConcurrentHashMap.newKeySet();
        Pipeline pipeline = new Pipeline();
        Set<String> parents = new HashSet<>();
        for (Map.Entry<String, String> node : nodes.entrySet()) {
            String path = node.getKey();
            try {
                // Requests of a session are carried out in order: no need to wait for the parents.
                createParents(zooKeeper, path, parents, pipeline);
                pipeline.begin();
                zooKeeper.create(
                        path,
                        bytes(node.getValue()),
                        Ids.OPEN_ACL_UNSAFE,
                        CreateMode.EPHEMERAL,
                        (rc, p, context, name) -> {
                            if (rc == Code.OK.intValue()) {
                                created.add(path);
                            } else if (rc == Code.NODEEXISTS.intValue()) {
                                existing.put(path, node.getValue());
                            }
                            pipeline.end(rc, p, Code.NODEEXISTS);
                        },
                        null);
            } catch (IllegalArgumentException e) {
                pipeline.withdraw();
                refuse(path, e);
            }
        }
        try {
            pipeline.await();
        } finally {
            created.forEach(path -> held.put(path, nodes.get(path)));
        }
        return existing;
    }

    private static void createParents(ZooKeeper zooKeeper, String path, Set<String> done, Pipeline pipeline)
            throws InterruptedException {
        for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
            String parent = path.substring(0, slash);
            if (done.add(parent)) {
                pipeline.begin();
                zooKeeper.create(
                        parent,
                        new byte[0],
                        Ids.OPEN_ACL_UNSAFE,
                        CreateMode.PERSISTENT,
                        (rc, p, context, name) -> pipeline.end(rc, p, Code.NODEEXISTS),
                        null);
            }
        }
    }

    /**
     * Delete and create in one step. Setting the data would do for new clients, but those of 1.4 watch only the list of
     * children: they learn of a changed partition count from the node's coming anew.
     */
    private void replace(ZooKeeper zooKeeper, Map<String, String> nodes) throws KeeperException, InterruptedException {
        Set<String> replaced = ConcurrentHashMap.newKeySet();
        Pipeline pipeline = new Pipeline();
        for (Map.Entry<String, String> node : nodes.entrySet()) {
            String path = node.getKey();
            held.remove(path);
            pipeline.begin();
            zooKeeper.multi(
                    List.of(
                            Op.delete(path, -1),
                            Op.create(path, bytes(node.getValue()), Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL)),
                    (rc, p, context, results) -> {
                        if (rc == Code.OK.intValue()) {
                            replaced.add(path);
                        }
                        pipeline.end(rc, path);
                    },
                    null);
        }
        try {
            pipeline.await();
        } finally {
            replaced.forEach(path -> held.put(path, nodes.get(path)));
        }
    }

    private void delete(ZooKeeper zooKeeper, List<String> paths) throws KeeperException, InterruptedException {
        Set<String> deleted = ConcurrentHashMap.newKeySet();
        Pipeline pipeline = new Pipeline();
        for (String path : paths) {
            pipeline.begin();
            zooKeeper.delete(
                    path,
                    -1,
                    (rc, p, context) -> {
                        if (rc == Code.OK.intValue() || rc == Code.NONODE.intValue()) {
                            deleted.add(path);
                        }
                        pipeline.end(rc, p, Code.NONODE);
                    },
                    null);
        }
        try {
            pipeline.await();
        } finally {
            held.keySet().removeAll(deleted);
        }
    }

    private void refuse(String path, IllegalArgumentException reason) {
        if (refused.add(path)) {
            LOG.error("{} cannot be a ZooKeeper node: clients cannot find this topic there", path, reason);
        }
    }

    private static byte[] bytes(String data) {
        return data.getBytes(UTF_8);
    }
}
