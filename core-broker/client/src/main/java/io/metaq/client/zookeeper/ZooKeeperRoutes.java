package io.metaq.client.zookeeper;

import io.metaq.client.BrokerNode;
import io.metaq.client.MetaqException;
import io.metaq.client.Route;
import io.metaq.client.RouteSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Routes from ZooKeeper, kept fresh by watches. With ZooKeeper away the routes known last stay in use: brokers go on
 * serving then.
 */
final class ZooKeeperRoutes implements RouteSource, Session.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperRoutes.class);
    private static final int ANSWER_MS = 5_000;

    private record Key(String topic, Use use) {}

    private final Session session;
    private final BrokerNodes brokerNodes;
    private final Absence.Patience patience;
    private final Map<Key, Route> known = new ConcurrentHashMap<>();
    private final Map<Key, Watcher> watchers = new ConcurrentHashMap<>();
    private final Map<Key, List<Listener>> listeners = new ConcurrentHashMap<>();
    private final Map<Key, Absence> absences = new ConcurrentHashMap<>();
    private final Set<Key> stale = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, task -> {
        Thread made = new Thread(task, "metaq-routes");
        made.setDaemon(true);
        return made;
    });
    private volatile List<BrokerNode> knownBrokers = List.of();

    ZooKeeperRoutes(Session session, BrokerNodes brokerNodes, Absence.Patience patience) {
        this.session = session;
        this.brokerNodes = brokerNodes;
        this.patience = patience;
        session.add(this);
    }

    @Override
    public List<BrokerNode> brokers() {
        try {
            knownBrokers = ask("the list of brokers", () -> brokerNodes.masters(session.handle()));
        } catch (MetaqException e) {
            if (knownBrokers.isEmpty()) {
                throw e;
            }
            LOG.debug("ZooKeeper is away: using the brokers known last", e);
        }
        return knownBrokers;
    }

    /** An empty route is asked anew each time: the topic may have come a moment ago. */
    @Override
    public Route route(String topic, Use use) {
        Key key = new Key(topic, use);
        Route route = known.get(key);
        if (route != null && (!route.entries().isEmpty() || !session.isConnected())) {
            return route;
        }
        return ask("where topic " + topic + " lives", () -> refresh(key));
    }

    @Override
    public Watch watch(String topic, Use use, Listener listener) {
        Key key = new Key(topic, use);
        List<Listener> list = listeners.computeIfAbsent(key, k -> new CopyOnWriteArrayList<>());
        list.add(listener);
        if (!known.containsKey(key)) {
            refreshSoon(key);
        }
        return () -> list.remove(listener);
    }

    @Override
    public void connected(long id) {
        // A new session has no watches, and an old one may have missed what was asked while it was away.
        known.keySet().forEach(this::refreshSoon);
        listeners.keySet().forEach(this::refreshSoon);
    }

    @Override
    public void disconnected() {}

    @Override
    public void expired() {}

    @Override
    public void close() {
        session.remove(this);
        thread.shutdownNow();
    }

    private <T> T ask(String what, Callable<T> question) {
        try {
            Future<T> answer = thread.submit(question);
            return answer.get(ANSWER_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MetaqException("interrupted while asking ZooKeeper " + what, e);
        } catch (ExecutionException e) {
            throw new MetaqException("cannot ask ZooKeeper " + session.connect() + " " + what + ": " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new MetaqException("ZooKeeper " + session.connect() + " does not tell " + what, e);
        } catch (RejectedExecutionException e) {
            throw new MetaqException("the client is closed", e);
        }
    }

    private void refreshSoon(Key key) {
        if (!stale.add(key)) {
            return;
        }
        try {
            thread.execute(() -> {
                try {
                    refresh(key);
                } catch (KeeperException e) {
                    LOG.debug("{} stays as known until ZooKeeper is back", key, e);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("closed: no refresh of {}", key);
        }
    }

    /**
     * A topic whose last broker has gone with it: that broker restarts, or ZooKeeper has lost sight of it. Its address
     * is kept for a while, and whoever tries it learns that it is away, not that there is no such topic.
     */
    private boolean isOnlyAbsent(ZooKeeper zooKeeper, Key key, Route last, Watcher watcher)
            throws KeeperException, InterruptedException {
        if (last.entries().isEmpty()) {
            return false;
        }
        Absence absence = absences.computeIfAbsent(key, k -> new Absence(patience, System.nanoTime()));
        absence.look(hasMaster(zooKeeper, last, watcher));
        long leftMs = absence.leftMs(System.nanoTime());
        if (leftMs <= 0) {
            return false;
        }
        absence.nextLook(thread.schedule(() -> refreshSoon(key), leftMs, TimeUnit.MILLISECONDS));
        return true;
    }

    private boolean hasMaster(ZooKeeper zooKeeper, Route last, Watcher watcher)
            throws KeeperException, InterruptedException {
        for (Route.Entry entry : last.entries()) {
            if (brokerNodes.hasMaster(zooKeeper, entry.broker().id(), watcher)) {
                return true;
            }
        }
        return false;
    }

    private Route refresh(Key key) throws KeeperException, InterruptedException {
        stale.remove(key);
        // One watcher per key, so that ZooKeeper keeps one watch however often it is set.
        Watcher watcher = watchers.computeIfAbsent(key, k -> event -> {
            if (event.getType() != Watcher.Event.EventType.None) {
                refreshSoon(k);
            }
        });
        ZooKeeper zooKeeper = session.handle();
        Route fresh = brokerNodes.route(zooKeeper, key.topic(), key.use(), watcher);
        Route last = known.get(key);
        if (last != null && fresh.entries().isEmpty() && isOnlyAbsent(zooKeeper, key, last, watcher)) {
            return last;
        }
        Absence over = absences.remove(key);
        if (over != null) {
            over.nextLook(null);
        }
        Route before = known.put(key, fresh);
        if (!fresh.equals(before)) {
            for (Listener listener : listeners.getOrDefault(key, List.of())) {
                listener.changed(fresh);
            }
        }
        return fresh;
    }
}
