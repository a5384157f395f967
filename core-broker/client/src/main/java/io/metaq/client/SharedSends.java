package io.metaq.client;

import io.metaq.client.net.CallerLoop;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client's part in the {@link CommonProducer}s: what it has under way, and the end of that. */
final class SharedSends implements CommonSender {

    private static final Logger LOG = LoggerFactory.getLogger(SharedSends.class);
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(5);

    private final ClientCore core;
    private final MetaqClientBuilder client;
    private final ProducerBuilder settings;
    private final Map<BrokerAddress, CommonProducer> producers = new ConcurrentHashMap<>();
    private final Set<WaitingSend> underWay = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closed = new AtomicBoolean();

    SharedSends(ClientCore core, MetaqClientBuilder client, ProducerBuilder settings) {
        this.core = core;
        this.client = client;
        this.settings = settings;
    }

    @Override
    public SendResult send(Message message) {
        if (core.onNetworkThread()) {
            throw new IllegalStateException("a send that waits must not be called from a callback");
        }
        TopicPartition partition = message.partition();
        if (partition == null) {
            throw new IllegalArgumentException("a common sender needs messages that say their partition");
        }
        WaitingSend send = new WaitingSend(this);
        underWay.add(send);
        try {
            // Behind the entry in underWay: whoever closes looks there after having set this.
            checkOpen();
            CommonProducer common = producer(partition);
            BatchingProducer producer = common.to(partition.broker());
            // Twice the time limit: it is the network thread that keeps the limit, and its exception says more.
            Duration limit = settings.timeout.multipliedBy(2).plusSeconds(2);
            long end = System.nanoTime() + limit.toNanos();
            CompletableFuture<SendResult> answer = CallerLoop.settled(
                    common.loop(),
                    () -> {
                        producer.send(message, send);
                        return send;
                    },
                    limit);
            Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
            return Calls.await(answer, "send to " + message.topic(), left);
        } finally {
            underWay.remove(send);
        }
    }

    private void checkOpen() {
        if (closed.get()) {
            throw new ClientClosedException("the producer", false);
        }
    }

    private CommonProducer producer(TopicPartition partition) {
        BrokerAddress server = core.brokers().known(partition);
        CommonProducer known = producers.get(server);
        if (known != null) {
            return known;
        }
        synchronized (producers) {
            checkOpen();
            return producers.computeIfAbsent(server, address -> CommonProducer.acquire(client, settings, address));
        }
    }

    @Override
    public void close() {
        close(CLOSE_PATIENCE);
    }

    @Override
    public void close(Duration patience) {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        List<WaitingSend> left = List.copyOf(underWay);
        if (!core.onNetworkThread()) {
            long deadline = System.nanoTime() + patience.toNanos();
            left.forEach(send -> awaitEnd(send, deadline));
        }
        List<CommonProducer> used;
        synchronized (producers) {
            used = List.copyOf(producers.values());
        }
        for (CommonProducer common : used) {
            common.producer().withdraw(this::isOwn, new ClientClosedException("the producer", false));
        }
        underWay.forEach(send -> send.completed(null, new ClientClosedException("the producer", true)));
        used.forEach(CommonProducer::release);
        core.forget(this);
    }

    /** Of any kind: its own thread hears which. An interrupted thread waits for nobody. */
    private static void awaitEnd(WaitingSend send, long deadline) {
        try {
            send.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | CancellationException | TimeoutException e) {
            LOG.trace("a send at the end of its client", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isOwn(SendCallback callback) {
        return callback instanceof WaitingSend send && send.owner() == this;
    }
}
