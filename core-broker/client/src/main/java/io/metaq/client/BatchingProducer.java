package io.metaq.client;

import io.metaq.client.net.ServerInfo;
import io.metaq.client.net.Transport.Purpose;
import io.netty.buffer.ByteBufAllocator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The producer. A send chooses a partition, takes its bytes from the budget, writes the message into the open batch of the partition's
 * queue, and wakes the network thread if that is not at work on the queue already. Everything else happens in {@link BrokerSender}.
 */
final class BatchingProducer implements Producer {

    static final Logger LOG = LoggerFactory.getLogger(BatchingProducer.class);
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(5);
    private static final String TEMPORARY = "temp:";
    private static final long ROUTE_RETRY_NANOS = 100_000_000L;
    private static final long CLOSED_PARTITION_NANOS = 10_000_000_000L;

    private final ClientCore core;
    private final PartitionSelector selector;
    private final boolean sticky;
    private final boolean failFast;
    private final int maxBatchBytes;
    private final Durability durability;
    private final long timeoutNanos;
    private final long lingerNanos;
    private final SenderSettings senderSettings;
    private final ByteBudget budget;
    private final BrokerHealth health = new BrokerHealth();
    private final Map<String, TopicTargets> topics = new ConcurrentHashMap<>();
    private final List<RouteSource.Watch> watches = new ArrayList<>();
    private final Map<TopicPartition, PartitionQueue> queues = new ConcurrentHashMap<>();
    private final Map<BrokerAddress, BrokerSender> senders = new ConcurrentHashMap<>();
    private final Set<Batch> live = ConcurrentHashMap.newKeySet();
    private final AtomicLong oneWayFailures = new AtomicLong();
    private final AtomicBoolean closed = new AtomicBoolean();

    BatchingProducer(ClientCore core, ProducerBuilder settings) {
        this.core = core;
        this.selector = settings.selector;
        this.sticky = settings.selector.isSticky();
        this.failFast = settings.failFast;
        this.maxBatchBytes = settings.maxBatchBytes;
        this.durability = settings.durability;
        this.timeoutNanos = settings.timeout.toNanos();
        this.lingerNanos = settings.linger.toNanos();
        this.budget = new ByteBudget(settings.maxInFlightBytes);
        this.senderSettings =
                new SenderSettings(settings.idempotent, settings.maxInFlightBatches, settings.keepsTogether);
    }

    @Override
    public SendResult send(Message message) {
        if (core.onNetworkThread()) {
            throw new IllegalStateException("a send that waits must not be called from a callback: use sendAsync");
        }
        if (!isPlaced(message)) {
            awaitFirstRoute(message.topic());
        }
        CompletableFuture<SendResult> future = sendAsync(message);
        // Twice the time limit: it is the network thread that keeps the limit, and its exception says more.
        return Calls.await(
                future,
                "send to " + message.topic(),
                Duration.ofNanos(timeoutNanos).multipliedBy(2).plusSeconds(2));
    }

    /** A broker that is just being started is no reason to fail a caller who is ready to wait. */
    private void awaitFirstRoute(String topic) {
        long deadline = System.nanoTime() + timeoutNanos;
        while (!topics.containsKey(topic) && !closed.get()) {
            try {
                firstRoute(topic);
                return;
            } catch (BrokerUnavailableException | RequestTimeoutException e) {
                if (System.nanoTime() - deadline + ROUTE_RETRY_NANOS >= 0) {
                    throw e;
                }
                LockSupport.parkNanos(ROUTE_RETRY_NANOS);
                if (Thread.currentThread().isInterrupted()) {
                    throw e;
                }
            }
        }
    }

    @Override
    public CompletableFuture<SendResult> sendAsync(Message message) {
        CompletableFuture<SendResult> future = new CompletableFuture<>();
        send(message, (result, failure) -> {
            if (failure != null) {
                future.completeExceptionally(failure);
            } else {
                future.complete(result);
            }
        });
        return future;
    }

    @Override
    public void sendOneWay(Message message) {
        send(message, this::oneWayDone);
    }

    private void oneWayDone(@Nullable SendResult result, @Nullable MetaqException failure) {
        if (failure != null) {
            long failures = oneWayFailures.incrementAndGet();
            // The 1st, 2nd, 4th, 8th ... so that a dead broker does not fill the log.
            if (Long.bitCount(failures) == 1) {
                LOG.warn("{} one-way messages failed so far, the last with {}", failures, Failures.brief(failure));
            }
        }
    }

    @Override
    public long oneWayFailures() {
        return oneWayFailures.get();
    }

    @Override
    public void send(Message message, SendCallback callback) {
        if (closed.get()) {
            throw new ClientClosedException("the producer", false);
        }
        boolean routed = isPlaced(message) || topics.containsKey(message.topic());
        if (!routed && core.onNetworkThread()) {
            // The first message of a topic needs its route, and asking for it here would wait for this very thread.
            core.housekeeping().execute(() -> sendOrTell(message, callback));
        } else {
            sendOrTell(message, callback);
        }
    }

    private void sendOrTell(Message message, SendCallback callback) {
        int bytes = 0;
        try {
            TopicPartition partition = choose(message);
            bytes = StorageFormat.maxSize(message);
            reserve(bytes);
            enqueue(message, partition, bytes, callback);
        } catch (MetaqException e) {
            callback.completed(null, e);
        }
    }

    /** Whether it says itself where it goes, to a broker whose address is known. */
    private boolean isPlaced(Message message) {
        TopicPartition explicit = message.partition();
        return explicit != null && core.brokers().address(explicit.broker()) != null;
    }

    private TopicPartition choose(Message message) {
        TopicPartition explicit = message.partition();
        if (explicit != null && isPlaced(message)) {
            return explicit;
        }
        TopicTargets targets = targets(message.topic());
        if (explicit != null) {
            return explicit;
        }
        List<TopicPartition> candidates = sticky ? targets.all() : targets.available();
        if (candidates.isEmpty()) {
            throw Failures.unknownTopic(message.topic(), null, null, 0);
        }
        return candidates.size() == 1 ? candidates.get(0) : selector.select(message, candidates);
    }

    private void reserve(int bytes) {
        if (budget.tryTake(bytes)) {
            return;
        }
        if (core.onNetworkThread()) {
            // Waiting here would wait for ourselves; the callbacks that send are themselves bounded by the answers.
            budget.force(bytes);
        } else if (failFast) {
            throw tooMuch();
        } else {
            waitForRoom(bytes);
        }
    }

    private void waitForRoom(int bytes) {
        try {
            if (!budget.take(bytes, timeoutNanos)) {
                throw closed.get() ? new ClientClosedException("the producer", false) : tooMuch();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MetaqException("send: interrupted while waiting for earlier messages", e);
        }
    }

    private MetaqException tooMuch() {
        return new BrokerBusyException(
                new MetaqException.Failure(
                        "send: " + budget.used() + " bytes are under way already; the brokers take less than is sent",
                        null,
                        null,
                        0,
                        true,
                        false),
                null);
    }

    private void enqueue(Message message, TopicPartition partition, int bytes, SendCallback callback) {
        PartitionQueue queue;
        int checksum;
        try {
            queue = queue(partition);
            checksum = StorageFormat.checksum(message);
        } catch (RuntimeException e) {
            budget.give(bytes);
            throw e;
        }
        boolean movable = !sticky && message.partition() == null;
        PartitionQueue.Added added = queue.add(message, checksum, bytes, movable, callback);
        while (added == PartitionQueue.Added.RETIRED) {
            queue = queue(partition);
            added = queue.add(message, checksum, bytes, movable, callback);
        }
        if (added == PartitionQueue.Added.FIRST && lingerNanos > 0) {
            queue.sender.wakeAfter(queue, lingerNanos);
        } else if (added == PartitionQueue.Added.FIRST || (added == PartitionQueue.Added.FILLED && lingerNanos > 0)) {
            queue.sender.wake(queue);
        }
        if (closed.get()) {
            abandon(queue);
        }
    }

    private PartitionQueue queue(TopicPartition partition) {
        PartitionQueue queue = queues.get(partition);
        if (queue == null) {
            ServerInfo info = core.brokers().link(partition, Purpose.PRODUCE).server();
            int limit = info == null ? maxBatchBytes : Math.min(maxBatchBytes, info.maxBody());
            BrokerSender sender = sender(partition);
            queue = queues.computeIfAbsent(partition, key -> new PartitionQueue(key, this, sender, limit));
        }
        return queue;
    }

    /** Who sends to its broker where that is now. */
    BrokerSender sender(TopicPartition partition) {
        BrokerAddress address = core.brokers().known(partition);
        BrokerSender sender = senders.get(address);
        return sender != null ? sender : newSender(partition.broker(), address);
    }

    private BrokerSender newSender(int broker, BrokerAddress address) {
        return senders.computeIfAbsent(address, key -> {
            BrokerSender fresh =
                    new BrokerSender(this, broker, key, core.brokers().link(key, Purpose.PRODUCE), senderSettings);
            fresh.start();
            return fresh;
        });
    }

    private TopicTargets targets(String topic) {
        TopicTargets known = topics.get(topic);
        if (known != null && !known.all().isEmpty()) {
            return known;
        }
        return firstRoute(topic);
    }

    private TopicTargets firstRoute(String topic) {
        List<TopicPartition> partitions = core.publishable(topic);
        return topics.compute(topic, (name, present) -> {
            TopicTargets targets = present;
            if (targets == null) {
                targets = new TopicTargets(name, health, core.brokers(), selector instanceof LocalFirstSelector);
                watch(targets);
            }
            targets.update(partitions);
            return targets;
        });
    }

    private void watch(TopicTargets targets) {
        RouteSource.Watch watch = core.routes().watch(targets.topic(), RouteSource.Use.PUBLISH, route -> {
            core.brokers().seen(route);
            follow(route);
            if (!route.entries().isEmpty()) {
                targets.update(route.partitions());
            }
        });
        synchronized (watches) {
            watches.add(watch);
        }
    }

    /** A broker that has come to another address is connected to there at once: until then it is held to be unreachable. */
    private void follow(Route route) {
        for (Route.Entry entry : route.entries()) {
            int broker = entry.broker().id();
            BrokerAddress address = entry.broker().address();
            boolean used = senders.values().stream().anyMatch(sender -> sender.broker() == broker);
            if (used && !senders.containsKey(address) && !closed.get()) {
                newSender(broker, address);
            }
        }
    }

    /** Whether a broker is at this address, for all that is known. */
    boolean isAt(int broker, BrokerAddress address) {
        return address.equals(core.brokers().address(broker));
    }

    Batch newBatch(int bytes, boolean movable) {
        Batch batch =
                new Batch(ByteBufAllocator.DEFAULT.directBuffer(bytes), System.nanoTime() + timeoutNanos, movable);
        live.add(batch);
        batch.done.thenAccept(done -> {
            live.remove(done);
            budget.give(done.reserved());
        });
        return batch;
    }

    /** What messages get that ask for nothing themselves. */
    Durability durability() {
        return durability;
    }

    /** Nothing of the queue is under way. Those of temporary destinations are given up: a responder answers to a million of them. */
    void idle(PartitionQueue queue) {
        TopicPartition partition = queue.partition();
        if (partition.topic().startsWith(TEMPORARY) && queue.retire()) {
            queues.remove(partition, queue);
        }
    }

    /** How many partitions something is kept of. */
    int queues() {
        return queues.size();
    }

    BrokerHealth health() {
        return health;
    }

    boolean canMove(String topic, int notBroker) {
        TopicTargets targets = topics.get(topic);
        return targets != null && !targets.alternatives(notBroker).isEmpty();
    }

    /** Gives a batch to another broker. @return false if there is none to take it now */
    boolean move(String topic, Batch batch, int notBroker) {
        TopicTargets targets = topics.get(topic);
        List<TopicPartition> others = targets == null ? List.of() : targets.alternatives(notBroker);
        if (others.isEmpty() || closed.get()) {
            return false;
        }
        TopicPartition other = others.get(ThreadLocalRandom.current().nextInt(others.size()));
        batch.sequence = -1;
        PartitionQueue queue = queue(other);
        if (queue.addMoved(batch)) {
            queue.sender.wake(queue);
        }
        return true;
    }

    void partitionClosed(TopicPartition partition) {
        TopicTargets targets = topics.get(partition.topic());
        if (targets != null) {
            targets.closed(partition, System.nanoTime() + CLOSED_PARTITION_NANOS);
        }
    }

    /** A broker chose a partition where the route knew none: the topic exists now, so its route can be asked. */
    void learned(TopicPartition asked, TopicPartition stored) {
        if (asked.partition() != TopicPartition.ANY || asked.equals(stored)) {
            return;
        }
        TopicTargets targets = topics.get(asked.topic());
        if (targets != null && targets.all().contains(asked) && targets.beginRefresh()) {
            core.housekeeping().execute(() -> refresh(targets));
        }
    }

    private void refresh(TopicTargets targets) {
        try {
            targets.update(core.publishable(targets.topic()));
        } catch (MetaqException e) {
            LOG.debug("route of {} not refreshed", targets.topic(), e);
        } finally {
            targets.endRefresh();
        }
    }

    /** Takes messages out that are not under way, and tells their callbacks so. */
    void withdraw(Predicate<SendCallback> whose, MetaqException why) {
        for (PartitionQueue queue : queues.values()) {
            queue.withdraw(whose).forEach(callback -> callback.completed(null, why));
        }
    }

    /** The network thread is gone: nobody else will tell these. */
    void abandon(PartitionQueue queue) {
        for (Batch batch : queue.removeIf(any -> true)) {
            batch.fail(new ClientClosedException("the producer", false));
        }
    }

    @Override
    public void flush() {
        if (!core.onNetworkThread()) {
            await(Duration.ofNanos(timeoutNanos).multipliedBy(2).plusSeconds(2));
        }
    }

    private void await(Duration limit) {
        queues.forEach((partition, queue) -> {
            if (!queue.isEmpty()) {
                queue.sender.wake(queue);
            }
        });
        CompletableFuture<?>[] all = live.stream().map(batch -> batch.done).toArray(CompletableFuture<?>[]::new);
        Calls.await(CompletableFuture.allOf(all), "flush", limit);
    }

    @Override
    public void close() {
        close(CLOSE_PATIENCE);
    }

    @Override
    public void close(Duration flush) {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        budget.close();
        if (!core.onNetworkThread()) {
            flushForClose(flush);
        }
        synchronized (watches) {
            watches.forEach(RouteSource.Watch::close);
        }
        senders.values().forEach(sender -> sender.close(new ClientClosedException("the producer", false)));
        queues.values().forEach(this::abandon);
        core.forget(this);
    }

    private void flushForClose(Duration limit) {
        try {
            await(limit);
        } catch (MetaqException e) {
            LOG.warn("closing a producer with {} batches without an outcome", live.size());
        }
    }
}
