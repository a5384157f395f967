package io.metaq.client.zookeeper;

import io.metaq.client.GroupMembership;
import io.metaq.client.TopicPartition;
import io.metaq.client.zookeeper.GroupView.Shares;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member's seat in a group that meets in ZooKeeper by the rule of 1.4. All state belongs to one thread. Of a partition:
 * <pre>
 *   wanted -> OWNED (node claimed, assigned told) -> REVOKING (revoked told) -> released (node deleted)
 *   OWNED, REVOKING -> lost, when the session has expired or may have
 * </pre>
 *
 * <p>Unlike 1.4 only partitions that move are stopped, and a claim is tried until it succeeds or is no longer due.
 */
final class ZooKeeperMembership implements GroupMembership, Session.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperMembership.class);
    private static final int SETTLE_MS = 20;
    private static final int RETRY_MS = 1_000;
    private static final int CLOSE_MS = 1_500;
    private static final long ABSENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private enum Hold {
        OWNED,
        REVOKING
    }

    private final Session session;
    private final OwnerNodes owners;
    private final GroupView view;
    private final Listener listener;
    private final ScheduledThreadPoolExecutor thread;
    private final Watcher watcher = event -> {
        if (event.getType() != Watcher.Event.EventType.None) {
            rebalanceSoon();
        }
    };
    /** Events come in bursts, one rebalance serves them all. */
    private final AtomicBoolean rebalanceDue = new AtomicBoolean();

    private volatile boolean closed;

    private final Map<TopicPartition, Hold> held = new HashMap<>();
    /** Owner nodes of ours that may be in ZooKeeper though nothing is read any more. */
    private final Set<TopicPartition> leftovers = new HashSet<>();
    /** Since when the broker of a held partition is away. */
    private final Map<TopicPartition, Long> absentSince = new HashMap<>();

    /** Of the connection: tells whether it is still the disconnect for which a deadline was set. */
    private long changes;

    /** Without an owner at the last look. */
    private Set<TopicPartition> orphans = Set.of();

    private boolean retryDue;
    private @Nullable String complaint;

    private ZooKeeperMembership(Session session, OwnerNodes owners, GroupView view, Listener listener) {
        this.session = session;
        this.owners = owners;
        this.view = view;
        this.listener = listener;
        this.thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread made = new Thread(task, "metaq-group-" + view.group());
            made.setDaemon(true);
            return made;
        });
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    static ZooKeeperMembership join(Session session, OwnerNodes owners, GroupView view, Listener listener) {
        ZooKeeperMembership membership = new ZooKeeperMembership(session, owners, view, listener);
        session.add(membership);
        membership.rebalanceSoon();
        int intervalMs = session.timeoutMs() / 2;
        membership.thread.scheduleWithFixedDelay(
                membership::lookForOrphans, intervalMs, intervalMs, TimeUnit.MILLISECONDS);
        return membership;
    }

    @Override
    public void release(TopicPartition partition) {
        execute(() -> {
            if (held.remove(partition) != null) {
                absentSince.remove(partition);
                leftovers.add(partition);
                releaseAtOnce(partition);
                rebalanceSoon();
            }
        });
    }

    /** Others wait for it. Failing that it stays a leftover, which the next rebalance takes care of. */
    private void releaseAtOnce(TopicPartition partition) {
        try {
            owners.release(session.handle(), partition);
            leftovers.remove(partition);
        } catch (KeeperException e) {
            LOG.debug("{} is released when ZooKeeper is back", partition, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed = true;
        session.remove(this);
        try {
            Future<?> leaving = thread.submit(this::leave);
            thread.shutdown();
            leaving.get(CLOSE_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            LOG.warn(
                    "{} left without telling ZooKeeper; its nodes go when it is back or the session ends",
                    view.member());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RejectedExecutionException e) {
            LOG.debug("closed already");
        } finally {
            thread.shutdownNow();
        }
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void connected(long id) {
        execute(() -> {
            changes++;
            rebalance();
        });
    }

    /** Reading goes on as long as the session surely lives: a ZooKeeper that restarts in that time is not noticed. */
    @Override
    public void disconnected() {
        execute(() -> {
            long number = ++changes;
            schedule(
                    () -> {
                        if (changes == number) {
                            LOG.warn(
                                    "{}: ZooKeeper is away too long, its partitions may have gone to others: stops reading",
                                    view.member());
                            loseAll();
                        }
                    },
                    (int) Math.max(0, session.safeForMs()));
        });
    }

    @Override
    public void expired() {
        execute(() -> {
            changes++;
            loseAll();
            leftovers.clear();
        });
    }

    private void loseAll() {
        if (held.isEmpty()) {
            return;
        }
        Set<TopicPartition> lost = Set.copyOf(held.keySet());
        held.clear();
        absentSince.clear();
        leftovers.addAll(lost);
        tell(() -> listener.lost(lost));
    }

    private void rebalance() {
        rebalanceDue.set(false);
        if (closed || !session.isConnected()) {
            return; // connected() asks again
        }
        try {
            rebalance(session.handle());
            complaint = null;
        } catch (KeeperException e) {
            complain(e.toString());
            rebalanceLater();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void rebalance(ZooKeeper zooKeeper) throws KeeperException, InterruptedException {
        String holder = Nodes.claim(session, zooKeeper, view.memberPath(), view.memberData());
        if (holder != null) {
            complain("a member with this name is in the group already, with topics " + holder);
            rebalanceLater();
            return;
        }
        Shares shares = view.read(zooKeeper, watcher);
        revoke(surplus(zooKeeper, shares));
        releaseLeftovers(zooKeeper, shares.mine());
        claim(zooKeeper, shares.mine());
    }

    /** What this member owns and should not. */
    private Set<TopicPartition> surplus(ZooKeeper zooKeeper, Shares shares)
            throws KeeperException, InterruptedException {
        Set<TopicPartition> surplus = new HashSet<>();
        for (Map.Entry<TopicPartition, Hold> hold : held.entrySet()) {
            TopicPartition partition = hold.getKey();
            if (shares.mine().contains(partition)) {
                absentSince.remove(partition);
            } else if (hold.getValue() == Hold.OWNED && !isOnlyAbsent(zooKeeper, partition, shares)) {
                surplus.add(partition);
            }
        }
        return surplus;
    }

    /**
     * A broker that is down takes its partitions off the list, and nobody else claims them. Kept for a while: a broker
     * that restarts finds its reader, with what it has acknowledged, where it was.
     */
    private boolean isOnlyAbsent(ZooKeeper zooKeeper, TopicPartition partition, Shares shares)
            throws KeeperException, InterruptedException {
        if (shares.listed().contains(partition) || view.hasMaster(zooKeeper, partition.broker())) {
            return false;
        }
        long since = absentSince.computeIfAbsent(partition, p -> {
            schedule(this::rebalance, (int) TimeUnit.NANOSECONDS.toMillis(ABSENCE_NANOS) + SETTLE_MS);
            return System.nanoTime();
        });
        return System.nanoTime() - since < ABSENCE_NANOS;
    }

    private void revoke(Set<TopicPartition> partitions) {
        if (!partitions.isEmpty()) {
            partitions.forEach(partition -> held.put(partition, Hold.REVOKING));
            LOG.info("{} gives up {}", view.member(), names(partitions));
            tell(() -> listener.revoked(Set.copyOf(partitions)));
        }
    }

    /** Leftovers that are wanted are left for the claim, which finds that they are ours. */
    private void releaseLeftovers(ZooKeeper zooKeeper, Set<TopicPartition> wanted)
            throws KeeperException, InterruptedException {
        for (TopicPartition partition : Set.copyOf(leftovers)) {
            if (!wanted.contains(partition)) {
                owners.release(zooKeeper, partition);
            }
            leftovers.remove(partition);
        }
    }

    private void claim(ZooKeeper zooKeeper, Set<TopicPartition> wanted) throws KeeperException, InterruptedException {
        Set<TopicPartition> missing = new HashSet<>(wanted);
        missing.removeAll(held.keySet());
        // Until the claims are known to have been made or not, they may have been.
        leftovers.addAll(missing);
        Set<TopicPartition> claimed = owners.claim(zooKeeper, missing, watcher);
        leftovers.removeAll(missing);
        if (claimed.size() < missing.size()) {
            rebalanceLater();
        }
        if (!claimed.isEmpty()) {
            claimed.forEach(partition -> held.put(partition, Hold.OWNED));
            LOG.info("{} reads {}", view.member(), names(claimed));
            tell(() -> listener.assigned(claimed));
        }
    }

    /**
     * A member of 1.4 gives up after seven failed claims and then owns nothing until something changes. When a partition
     * has been without an owner for two looks, this makes everybody look again.
     */
    private void lookForOrphans() {
        if (closed || !session.isConnected()) {
            return;
        }
        try {
            ZooKeeper zooKeeper = session.handle();
            Set<TopicPartition> now =
                    view.orphans(zooKeeper, view.read(zooKeeper, null).listed());
            Set<TopicPartition> lasting = new HashSet<>(now);
            lasting.retainAll(orphans);
            orphans = now;
            if (!lasting.isEmpty()) {
                LOG.warn("nobody reads {}: asking the members of group {} to look again", names(lasting), view.group());
                Nodes.renew(zooKeeper, view.memberPath(), view.memberData());
            }
        } catch (KeeperException e) {
            LOG.debug("could not look for partitions without an owner", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void leave() {
        Set<String> nodes = new LinkedHashSet<>();
        held.keySet().forEach(partition -> nodes.add(owners.path(partition)));
        leftovers.forEach(partition -> nodes.add(owners.path(partition)));
        nodes.add(view.memberPath()); // last: who sees it gone finds the partitions free
        try {
            ZooKeeper zooKeeper = session.handle();
            for (String node : List.copyOf(nodes)) {
                Nodes.disclaim(zooKeeper, node);
                nodes.remove(node);
            }
        } catch (KeeperException e) {
            session.abandon(nodes);
        } catch (InterruptedException e) {
            session.abandon(nodes);
            Thread.currentThread().interrupt();
        }
    }

    private void tell(Runnable what) {
        if (closed) {
            return;
        }
        try {
            what.run();
        } catch (RuntimeException e) {
            LOG.error("{}: the consumer failed over a change of its partitions", view.member(), e);
        }
    }

    private void rebalanceSoon() {
        if (rebalanceDue.compareAndSet(false, true)) {
            schedule(this::rebalance, SETTLE_MS);
        }
    }

    private void rebalanceLater() {
        if (!retryDue) {
            retryDue = true;
            schedule(
                    () -> {
                        retryDue = false;
                        rebalance();
                    },
                    RETRY_MS);
        }
    }

    private void schedule(Runnable task, int delayMs) {
        try {
            thread.schedule(task, delayMs, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("closed: nothing more to do");
        }
    }

    private void execute(Runnable task) {
        schedule(task, 0);
    }

    private void complain(String what) {
        if (!what.equals(complaint)) {
            complaint = what;
            LOG.warn("{} cannot take its share of group {}, goes on trying: {}", view.member(), view.group(), what);
        }
    }

    private static String names(Set<TopicPartition> partitions) {
        return partitions.stream().sorted().map(TopicPartition::toString).collect(Collectors.joining(", "));
    }
}
