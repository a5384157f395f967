package io.metaq.client.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.metaq.client.MetaqException;
import io.metaq.client.OffsetStore;
import io.metaq.client.StoredOffset;
import io.metaq.client.TopicPartition;
import java.util.Map;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/** Offsets in ZooKeeper as {@code <message id>-<offset>}, where 1.4 clients of the same group read and write them too. */
final class ZooKeeperOffsets implements OffsetStore {
    private static final int UNKNOWN_ID = -1;

    private final Session session;
    private final ZooKeeperPaths paths;

    ZooKeeperOffsets(Session session, ZooKeeperPaths paths) {
        this.session = session;
        this.paths = paths;
    }

    @Override
    public @Nullable StoredOffset load(String group, TopicPartition partition) {
        String path = paths.offset(group, partition);
        try {
            String text = Nodes.text(session.handle(), path, null);
            return text == null || text.isBlank() ? null : parse(text.strip());
        } catch (NumberFormatException e) {
            throw new MetaqException(
                    "ZooKeeper node " + path + " holds no offset: write <message id>-<offset> into it or delete it", e);
        } catch (KeeperException e) {
            throw failure("read offsets of group " + group, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure("read offsets of group " + group, e);
        }
    }

    @Override
    public void commit(String group, Map<TopicPartition, StoredOffset> offsets) {
        try {
            ZooKeeper zooKeeper = session.handle();
            for (Map.Entry<TopicPartition, StoredOffset> entry : offsets.entrySet()) {
                write(zooKeeper, paths.offset(group, entry.getKey()), format(entry.getValue()));
            }
        } catch (KeeperException e) {
            throw failure("store offsets of group " + group, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure("store offsets of group " + group, e);
        }
    }

    private static void write(ZooKeeper zooKeeper, String path, String text)
            throws KeeperException, InterruptedException {
        while (true) {
            try {
                zooKeeper.setData(path, text.getBytes(UTF_8), -1);
                return;
            } catch (KeeperException.NoNodeException e) {
                try {
                    Nodes.create(zooKeeper, path, text, CreateMode.PERSISTENT);
                    return;
                } catch (KeeperException.NodeExistsException raced) {
                    continue;
                }
            }
        }
    }

    /** Ids of 1.4 are often negative, so the last dash separates; before 1.4 there was the offset alone. */
    static StoredOffset parse(String text) {
        int dash = text.lastIndexOf('-');
        if (dash <= 0) {
            return new StoredOffset(Long.parseLong(text), UNKNOWN_ID);
        }
        return new StoredOffset(Long.parseLong(text.substring(dash + 1)), Long.parseLong(text.substring(0, dash)));
    }

    static String format(StoredOffset offset) {
        return offset.messageId() + "-" + offset.offset();
    }

    private MetaqException failure(String what, Exception cause) {
        return new MetaqException("cannot " + what + " in ZooKeeper " + session.connect() + ": " + cause, cause);
    }
}
