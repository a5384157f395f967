package io.metaq.broker.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whoever holds {@code ids/<id>/master} is the broker with that id. After a crash and a fast restart the node of the
 * session before is still there: it is replaced when it is known to be this broker's own. Used by one thread.
 */
final class BrokerIdClaim {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerIdClaim.class);

    private final RegistryPaths paths;
    private final BrokerInfo broker;
    private final String zooKeeperAddress;
    private final SessionMemory memory;
    private boolean heldBefore;

    BrokerIdClaim(RegistryPaths paths, BrokerInfo broker, String zooKeeperAddress, SessionMemory memory) {
        this.paths = paths;
        this.broker = broker;
        this.zooKeeperAddress = zooKeeperAddress;
        this.memory = memory;
    }

    /**
     * Makes this session the holder; returns at once if it is.
     *
     * @throws BrokerIdTakenException if another broker holds the id
     */
    void claim(ZooKeeper zooKeeper) throws KeeperException, InterruptedException {
        if (stillHeld(zooKeeper)) {
            return;
        }
        createOrSet(zooKeeper, paths.idNode(), broker.url());
        byte[] data = broker.url().getBytes(UTF_8);
        while (!create(zooKeeper, data)) {
            Stat stat = new Stat();
            byte[] held = read(zooKeeper, stat);
            if (held == null) {
                continue;
            }
            long owner = stat.getEphemeralOwner();
            if (owner == zooKeeper.getSessionId()) {
                break;
            }
            if (!isFormerSelf(owner, held, data)) {
                throw new BrokerIdTakenException(broker.id(), zooKeeperAddress, new String(held, UTF_8), owner);
            }
            LOG.info("replacing the registration of this broker's earlier session 0x{}", Long.toHexString(owner));
            deleteIfThere(zooKeeper, paths.masterNode());
        }
        heldBefore = true;
    }

    /** True if the node is there and this session's own. */
    boolean stillHeld(ZooKeeper zooKeeper) throws KeeperException, InterruptedException {
        Stat stat = zooKeeper.exists(paths.masterNode(), false);
        return stat != null && stat.getEphemeralOwner() == zooKeeper.getSessionId();
    }

    /** Leaves the id; the entry for clients older than 1.4 goes too, or is emptied while replicas are registered. */
    void release(ZooKeeper zooKeeper) throws KeeperException, InterruptedException {
        if (!stillHeld(zooKeeper)) {
            return;
        }
        deleteIfThere(zooKeeper, paths.configChecksumNode());
        deleteIfThere(zooKeeper, paths.masterNode());
        try {
            deleteIfThere(zooKeeper, paths.idNode());
        } catch (KeeperException.NotEmptyException e) {
            zooKeeper.setData(paths.idNode(), new byte[0], -1);
        }
    }

    /**
     * The same address counts only until this process has held the id: the port is ours then, so the earlier holder of
     * the address is dead. Later a foreign session with our address is a second broker with a copied configuration, and
     * the two must not chase each other out for ever.
     */
    private boolean isFormerSelf(long owner, byte[] held, byte[] ours) {
        return memory.contains(owner) || (!heldBefore && Arrays.equals(held, ours));
    }

    private boolean create(ZooKeeper zooKeeper, byte[] data) throws KeeperException, InterruptedException {
        try {
            zooKeeper.create(paths.masterNode(), data, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
            return true;
        } catch (KeeperException.NodeExistsException e) {
            return false;
        } catch (KeeperException.NoNodeException e) {
            // The parent went meanwhile: a former self on its way out.
            createOrSet(zooKeeper, paths.idNode(), broker.url());
            return false;
        }
    }

    private byte @Nullable [] read(ZooKeeper zooKeeper, Stat stat) throws KeeperException, InterruptedException {
        try {
            byte[] data = zooKeeper.getData(paths.masterNode(), false, stat);
            return data == null ? new byte[0] : data;
        } catch (KeeperException.NoNodeException e) {
            return null;
        }
    }

    private static void createOrSet(ZooKeeper zooKeeper, String path, String data)
            throws KeeperException, InterruptedException {
        for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
            createPersistent(zooKeeper, path.substring(0, slash), "");
        }
        if (!createPersistent(zooKeeper, path, data)) {
            zooKeeper.setData(path, data.getBytes(UTF_8), -1);
        }
    }

    private static boolean createPersistent(ZooKeeper zooKeeper, String path, String data)
            throws KeeperException, InterruptedException {
        try {
            zooKeeper.create(path, data.getBytes(UTF_8), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            return true;
        } catch (KeeperException.NodeExistsException e) {
            return false;
        }
    }

    private static void deleteIfThere(ZooKeeper zooKeeper, String path) throws KeeperException, InterruptedException {
        try {
            zooKeeper.delete(path, -1);
        } catch (KeeperException.NoNodeException e) {
            LOG.debug("{} is gone already", path);
        }
    }
}
