package io.metaq.broker.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which other brokers are registered with a topic, for clients that know this one alone. Event loops ask, so the reading is on a
 * thread of its own. Many clients ask for one topic at a time: they share one reading, and what is younger than a second is
 * not read again.
 *
 * <p>What was read is remembered, for the time when ZooKeeper is away.
 */
final class OtherBrokers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OtherBrokers.class);
    private static final int LONGEST_WAIT_MS = 3_000;
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_REMEMBERED = 10_000;
    private static final int MAX_WAITING = 10_000;
    private static final Pattern MASTER = Pattern.compile("(\\d{1,9})-m");
    private static final Pattern PORT = Pattern.compile("\\d{1,5}");
    private static final Pattern PARTITIONS = Pattern.compile("\"numParts\"\\s*:\\s*(\\d{1,9})");

    private record Reading(List<RegisteredTopic> brokers, long nanos) {}

    private final CuratorFramework curator;
    private final String root;
    private final int self;
    private final LongSupplier clock = System::nanoTime;
    private final Map<String, CompletableFuture<List<RegisteredTopic>>> waiting = new LinkedHashMap<>();
    private final Map<String, Reading> remembered = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Reading> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };
    private final ThreadPoolExecutor thread =
            new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MAX_WAITING), task -> {
                Thread made = new Thread(task, "zookeeper-routes");
                made.setDaemon(true);
                return made;
            });

    OtherBrokers(CuratorFramework curator, String root, int self) {
        this.curator = curator;
        this.root = root;
        this.self = self;
        thread.allowCoreThreadTimeOut(true);
    }

    /** Sorted by id. Completes within seconds, on any thread, and never by a failure. */
    synchronized CompletionStage<List<RegisteredTopic>> of(String topic) {
        Reading last = remembered.get(topic);
        List<RegisteredTopic> known = last == null ? List.of() : last.brokers();
        if (last != null && !known.isEmpty() && clock.getAsLong() - last.nanos() < FRESH_NANOS) {
            return CompletableFuture.completedFuture(known);
        }
        CompletableFuture<List<RegisteredTopic>> pending = waiting.get(topic);
        if (pending == null) {
            if (!curator.getZookeeperClient().isConnected()) {
                return CompletableFuture.completedFuture(known);
            }
            pending = new CompletableFuture<List<RegisteredTopic>>()
                    .completeOnTimeout(known, LONGEST_WAIT_MS, TimeUnit.MILLISECONDS);
            waiting.put(topic, pending);
            start(topic, known, pending);
        }
        return pending.minimalCompletionStage();
    }

    private void start(String topic, List<RegisteredTopic> known, CompletableFuture<List<RegisteredTopic>> answer) {
        try {
            thread.execute(() -> answer.complete(readOr(known, topic)));
        } catch (RejectedExecutionException e) {
            LOG.debug("closing, or more is asked than ZooKeeper answers: {} as known", topic);
            waiting.remove(topic);
            answer.complete(known);
        }
    }

    private List<RegisteredTopic> readOr(List<RegisteredTopic> known, String topic) {
        List<RegisteredTopic> found = known;
        boolean read = false;
        try {
            found = read(curator.getZookeeperClient().getZooKeeper(), topic);
            read = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            LOG.debug("cannot ask ZooKeeper for the brokers of {}: as known", topic, e);
        }
        synchronized (this) {
            waiting.remove(topic);
            if (read) {
                remembered.put(topic, new Reading(found, clock.getAsLong()));
            }
        }
        return found;
    }

    private List<RegisteredTopic> read(ZooKeeper zooKeeper, String topic) throws KeeperException, InterruptedException {
        // A slash would lead into another topic's subtree, and dots up the tree.
        if (topic.isEmpty() || topic.equals(".") || topic.equals("..") || topic.indexOf('/') >= 0) {
            return List.of();
        }
        Map<Integer, Integer> publish = counts(zooKeeper, "topics-pub", topic);
        Map<Integer, Integer> subscribe = counts(zooKeeper, "topics-sub", topic);
        Map<Integer, Integer> all = new TreeMap<>(publish);
        all.putAll(subscribe);
        List<RegisteredTopic> found = new ArrayList<>();
        for (Map.Entry<Integer, Integer> entry : all.entrySet()) {
            int id = entry.getKey();
            String address = address(zooKeeper, id);
            if (address != null) {
                TopicRegistration there = new TopicRegistration(
                        topic, entry.getValue(), publish.containsKey(id), subscribe.containsKey(id));
                found.add(new RegisteredTopic(id, address, tlsPort(zooKeeper, id), there));
            }
        }
        return List.copyOf(found);
    }

    /** Broker id to number of partitions, of masters other than this broker. */
    private Map<Integer, Integer> counts(ZooKeeper zooKeeper, String tree, String topic)
            throws KeeperException, InterruptedException {
        Map<Integer, Integer> counts = new TreeMap<>();
        String path = RegistryPaths.topic(root, tree, topic);
        for (String child : children(zooKeeper, path)) {
            Matcher master = MASTER.matcher(child);
            if (master.matches() && Integer.parseInt(master.group(1)) != self) {
                String data = data(zooKeeper, path + "/" + child);
                Matcher partitions = PARTITIONS.matcher(data == null ? "" : data);
                if (partitions.find()) {
                    counts.put(Integer.parseInt(master.group(1)), Integer.parseInt(partitions.group(1)));
                }
            }
        }
        return counts;
    }

    private static Set<String> children(ZooKeeper zooKeeper, String path) throws KeeperException, InterruptedException {
        try {
            return Set.copyOf(zooKeeper.getChildren(path, false));
        } catch (KeeperException.NoNodeException e) {
            return Set.of();
        }
    }

    /** {@code host:port} of a broker's {@code meta://host:port}; null if it has just gone. */
    private @Nullable String address(ZooKeeper zooKeeper, int id) throws KeeperException, InterruptedException {
        String url = data(zooKeeper, RegistryPaths.masterNode(root, id));
        return url == null || !url.startsWith("meta://") ? null : url.substring("meta://".length());
    }

    private int tlsPort(ZooKeeper zooKeeper, int id) throws KeeperException, InterruptedException {
        String port = data(zooKeeper, RegistryPaths.tlsNode(root, id));
        return port == null || !PORT.matcher(port).matches() ? -1 : Integer.parseInt(port);
    }

    private static @Nullable String data(ZooKeeper zooKeeper, String path)
            throws KeeperException, InterruptedException {
        try {
            byte[] data = zooKeeper.getData(path, false, null);
            return data == null ? "" : new String(data, UTF_8);
        } catch (KeeperException.NoNodeException e) {
            return null;
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
