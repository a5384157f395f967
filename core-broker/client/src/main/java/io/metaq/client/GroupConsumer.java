package io.metaq.client;

import io.metaq.client.PartitionWorker.Shared;
import io.metaq.client.net.Transport.Purpose;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member of a group: gives each partition it is assigned to a worker, stores what the workers have done, and gives partitions up
 * only when their listener calls have ended and their offset is stored.
 */
final class GroupConsumer implements Consumer, GroupMembership.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(GroupConsumer.class);
    private static final Duration LISTENER_PATIENCE = Duration.ofSeconds(5);
    private static final Duration COMMIT_PATIENCE = Duration.ofSeconds(2);
    private static final long OPEN_RETRY_MS = 500;

    private final ClientCore core;
    private final ConsumerBuilder settings;
    private final ConsumerThread thread;
    private final ListenerRunner runner;
    private final Shared shared;
    private final OffsetKeeper offsets;
    private final Pauses pauses = new Pauses();
    private final Map<TopicPartition, PartitionWorker> workers = new ConcurrentHashMap<>();
    private final Set<TopicPartition> startedOnce = new HashSet<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile @Nullable GroupMembership membership;

    GroupConsumer(ClientCore core, ConsumerBuilder settings) {
        this.core = core;
        this.settings = settings;
        this.thread = new ConsumerThread("metaq-consumer-" + settings.group);
        this.runner = new ListenerRunner(thread, settings.group, settings.maxRetries, settings.rejectHandler);
        this.offsets = new OffsetKeeper(ConsumerOffsets.choose(core, settings), settings.group, core.housekeeping());
        Executor executor = settings.executor;
        this.shared = new Shared(
                core,
                thread,
                runner,
                executor == null ? Runnable::run : executor,
                executor == null ? 1 : settings.maxParallelMessages,
                settings.borrowPayloads,
                settings.retryDelay.toMillis(),
                settings.maxRetryDelay.toMillis(),
                new PartitionReader.Settings(
                        settings.group,
                        settings.fetchSize,
                        (int) settings.longPoll.toMillis(),
                        settings.maxIdleDelay.toMillis()));
    }

    void start() {
        thread.after(settings.commitInterval.toMillis(), this::commitNowAndThen);
        membership = Memberships.join(core, settings, this);
        if (closed.get()) {
            leave();
        }
    }

    boolean isInside() {
        return runner.isInside();
    }

    @Override
    public String group() {
        return settings.group;
    }

    @Override
    public Set<TopicPartition> assignment() {
        return new TreeSet<>(workers.keySet());
    }

    @Override
    public void assigned(Set<TopicPartition> partitions) {
        thread.run(() -> new TreeSet<>(partitions).forEach(this::open));
    }

    @Override
    public void revoked(Set<TopicPartition> partitions) {
        // At once, not in turn: the thread may be inside a listener for long.
        forEachWorker(partitions, PartitionWorker::halt);
        thread.run(() -> partitions.forEach(this::giveUp));
    }

    @Override
    public void lost(Set<TopicPartition> partitions) {
        forEachWorker(partitions, PartitionWorker::halt);
        thread.run(() -> forEachWorker(partitions, worker -> {
            LOG.info("group {} lost {}", settings.group, worker.partition());
            workers.remove(worker.partition(), worker);
            worker.stop();
        }));
    }

    private void forEachWorker(Set<TopicPartition> partitions, java.util.function.Consumer<PartitionWorker> action) {
        for (TopicPartition partition : partitions) {
            PartitionWorker worker = workers.get(partition);
            if (worker != null) {
                action.accept(worker);
            }
        }
    }

    private void open(TopicPartition partition) {
        MessageListener listener = settings.listeners.get(partition.topic());
        if (closed.get() || listener == null || workers.containsKey(partition)) {
            return;
        }
        PartitionWorker worker = new PartitionWorker(shared, partition, listener);
        workers.put(partition, worker);
        worker.pause(pauses.isPaused(partition));
        LOG.debug("group {} begins with {}", settings.group, partition);
        begin(worker);
    }

    private void begin(PartitionWorker worker) {
        startOf(worker)
                .whenComplete((from, failure) -> thread.run(() -> {
                    if (failure == null) {
                        startedOnce.add(worker.partition());
                        worker.begin(from);
                    } else if (workers.get(worker.partition()) == worker) {
                        LOG.warn(
                                "where to begin {} cannot be told yet: {}",
                                worker.partition(),
                                Failures.brief(failure));
                        thread.after(OPEN_RETRY_MS, () -> {
                            if (workers.get(worker.partition()) == worker) {
                                begin(worker);
                            }
                        });
                    }
                }));
    }

    private CompletableFuture<StoredOffset> startOf(PartitionWorker worker) {
        TopicPartition partition = worker.partition();
        Start every = settings.everyStart;
        if (every != null && !startedOnce.contains(partition)) {
            return resolve(partition, every);
        }
        return offsets.load(partition).thenCompose(stored -> {
            if (stored == null) {
                return resolve(partition, settings.firstStart);
            }
            worker.stored = stored;
            return CompletableFuture.completedFuture(stored);
        });
    }

    private CompletableFuture<StoredOffset> resolve(TopicPartition partition, Start start) {
        BrokerAddress server = core.brokers().known(partition);
        return StartOffset.resolve(
                        core.brokers().link(server, Purpose.CONSUME),
                        server,
                        partition,
                        settings.group,
                        start,
                        core.requestTimeout().toMillis())
                .thenApply(offset -> new StoredOffset(offset, -1));
    }

    /** Ends the worker, stores its offset, and only then lets the partition go. */
    private void giveUp(TopicPartition partition) {
        PartitionWorker worker = workers.get(partition);
        if (worker == null) {
            release(partition);
            return;
        }
        worker.stop().thenCompose(nothing -> store(List.of(worker))).whenComplete((nothing, failure) -> {
            if (failure != null) {
                LOG.warn("offset of {} not stored when given up: {}", partition, Failures.brief(failure));
            }
            workers.remove(partition, worker);
            release(partition);
        });
    }

    private void release(TopicPartition partition) {
        GroupMembership seat = membership;
        if (seat != null) {
            seat.release(partition);
        }
    }

    private void commitNowAndThen() {
        store(List.copyOf(workers.values())).whenComplete((nothing, failure) -> {
            if (failure != null) {
                LOG.warn(
                        "group {}: offsets not stored, will be tried again: {}",
                        settings.group,
                        Failures.brief(failure));
            }
            thread.after(settings.commitInterval.toMillis(), this::commitNowAndThen);
        });
    }

    /** Stores the positions that moved since they were stored last. */
    private CompletableFuture<Void> store(List<PartitionWorker> some) {
        Map<TopicPartition, StoredOffset> moved = new HashMap<>();
        List<PartitionWorker> movers = new ArrayList<>();
        for (PartitionWorker worker : some) {
            StoredOffset position = worker.position();
            if (position.offset() >= 0 && !position.equals(worker.stored)) {
                moved.put(worker.partition(), position);
                movers.add(worker);
            }
        }
        if (moved.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return offsets.commit(moved)
                .thenRun(() -> movers.forEach(worker -> worker.stored = moved.get(worker.partition())));
    }

    @Override
    public void commit() {
        Calls.await(
                store(List.copyOf(workers.values())),
                "commit of group " + settings.group,
                core.requestTimeout().multipliedBy(2).plusSeconds(2));
    }

    @Override
    public Map<TopicPartition, Long> positions() {
        Map<TopicPartition, Long> positions = new TreeMap<>();
        workers.forEach((partition, worker) -> {
            long offset = worker.position().offset();
            if (offset >= 0) {
                positions.put(partition, offset);
            }
        });
        return positions;
    }

    @Override
    public void pause(String topic) {
        pauses.pause(topic);
        applyPauses();
    }

    @Override
    public void pause(String topic, int partition) {
        pauses.pause(topic, partition);
        applyPauses();
    }

    @Override
    public void resume(String topic) {
        pauses.resume(topic);
        applyPauses();
    }

    @Override
    public void resume(String topic, int partition) {
        pauses.resume(topic, partition);
        applyPauses();
    }

    private void applyPauses() {
        workers.values().forEach(worker -> {
            boolean paused = pauses.isPaused(worker.partition());
            worker.holdBack(paused);
            thread.run(() -> worker.pause(pauses.isPaused(worker.partition())));
        });
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        boolean inside = isInside();
        workers.values().forEach(PartitionWorker::halt);
        stopWorkers(inside);
        try {
            Calls.await(store(List.copyOf(workers.values())), "last commit", COMMIT_PATIENCE);
        } catch (MetaqException e) {
            LOG.warn("group {}: last offsets not stored: {}", settings.group, Failures.brief(e));
        }
        leave();
        thread.end(!inside);
        core.forget(this);
    }

    private void stopWorkers(boolean inside) {
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        thread.run(() -> {
            CompletableFuture<?>[] all =
                    workers.values().stream().map(PartitionWorker::stop).toArray(CompletableFuture<?>[]::new);
            CompletableFuture.allOf(all).thenRun(() -> stopped.complete(null));
        });
        if (inside || core.onNetworkThread()) {
            return;
        }
        try {
            Calls.await(stopped, "end of listeners", LISTENER_PATIENCE);
        } catch (MetaqException e) {
            LOG.warn(
                    "group {}: a listener did not end in {}: it will be interrupted",
                    settings.group,
                    LISTENER_PATIENCE);
        }
    }

    private void leave() {
        GroupMembership seat = membership;
        if (seat != null) {
            seat.close();
        }
    }
}
