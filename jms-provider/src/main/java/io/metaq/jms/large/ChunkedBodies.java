package io.metaq.jms.large;

import io.metaq.client.FetchedBatch;
import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqException;
import io.metaq.client.Producer;
import io.metaq.client.Puller;
import io.metaq.client.SendResult;
import io.metaq.client.TopicPartition;
import io.metaq.client.subscription.SubscriberLink;
import io.metaq.jms.destination.MetaQDestination;
import io.metaq.jms.message.LargeBodies;
import io.metaq.jms.message.StoredBody;
import io.metaq.message.LargePayload;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Large bodies of one connection, in companion topics on the broker that the connection has. A few chunks are under way at a time,
 * so that neither side has more than those in memory.
 */
public final class ChunkedBodies implements LargeBodies {
    private static final int CHUNKS_UNDER_WAY = 3;
    private static final int IDLE_PULLERS = 4;
    private static final int PARTITION = 0;
    private static final int MESSAGE_HEADER = 20;
    private static final long RETRY_NANOS = 100_000_000;

    private final MetaqClient client;
    private final SubscriberLink link;
    private final int threshold;
    private final Duration timeout;
    private final Set<String> companions = ConcurrentHashMap.newKeySet();
    private final Map<TopicPartition, Deque<Puller>> idle = new HashMap<>();
    private int idleCount;
    private @Nullable Producer producer;

    /**
     * @param client closes what is made of it here
     * @param link that is ready
     * @param threshold bodies with more bytes than this are large
     * @param timeout from the send or fetch of a chunk to its outcome
     */
    public ChunkedBodies(MetaqClient client, SubscriberLink link, int threshold, Duration timeout) {
        this.client = client;
        this.link = link;
        this.threshold = threshold;
        this.timeout = timeout;
    }

    /** One of its own, since chunks need no order, and a session's messages are not to wait behind a body. */
    private synchronized Producer producer() {
        Producer made = producer;
        if (made == null) {
            made = client.producer()
                    .timeout(timeout)
                    .maxInFlightBytes(2L * CHUNKS_UNDER_WAY * LargePayload.CHUNK_BYTES)
                    .build();
            producer = made;
        }
        return made;
    }

    @Override
    public int threshold() {
        return threshold;
    }

    @Override
    public StoredBody store(MetaQDestination destination, InputStream body) throws JMSException {
        String companion = destination.isTemporary()
                ? LargePayload.TEMPORARY_COMPANION
                : destination.name() + LargePayload.COMPANION_SUFFIX;
        Deque<CompletableFuture<SendResult>> underWay = new ArrayDeque<>();
        List<Long> offsets = new ArrayList<>();
        long length = 0;
        try {
            if (!companions.contains(companion)) {
                link.ensureDestination(companion, false).join();
                companions.add(companion);
            }
            TopicPartition partition = new TopicPartition(companion, link.brokerId(), PARTITION);
            for (byte[] chunk = body.readNBytes(LargePayload.CHUNK_BYTES);
                    chunk.length > 0;
                    chunk = body.readNBytes(LargePayload.CHUNK_BYTES)) {
                if (underWay.size() == CHUNKS_UNDER_WAY) {
                    offsets.add(underWay.remove().join().offset());
                }
                underWay.add(producer().sendAsync(Message.of(companion, chunk).to(partition)));
                length += chunk.length;
            }
            while (!underWay.isEmpty()) {
                offsets.add(underWay.remove().join().offset());
            }
        } catch (IOException e) {
            throw failed("the body cannot be read: " + e, e);
        } catch (CompletionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw failed("the body cannot be stored in " + companion + ": " + cause.getMessage(), cause);
        } catch (MetaqException e) {
            throw failed("the body cannot be stored in " + companion + ": " + e.getMessage(), e);
        }
        return new StoredBody(
                companion, PARTITION, length, offsets.stream().mapToLong(o -> o).toArray());
    }

    /** Tries again while the broker is away, as long as a send would. */
    @Override
    public byte[] chunk(String topic, int partition, long offset) throws JMSException {
        TopicPartition from = new TopicPartition(topic, link.brokerId(), partition);
        long start = System.nanoTime();
        while (true) {
            try {
                return fetch(from, offset);
            } catch (MetaqException e) {
                boolean late = System.nanoTime() - start > timeout.toNanos();
                if (!e.isRetriable() || late || Thread.currentThread().isInterrupted()) {
                    throw failed("a part of the large body cannot be fetched from " + from + ": " + e.getMessage(), e);
                }
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    private byte[] fetch(TopicPartition from, long offset) throws JMSException {
        Puller puller = take(from);
        byte[] chunk = null;
        try (FetchedBatch batch = puller.fetch(offset, LargePayload.CHUNK_BYTES + MESSAGE_HEADER, Duration.ZERO)) {
            if (batch.isEmpty() || batch.offset() != offset) {
                throw new JMSException("a part of the large body is no more in " + from + " at " + offset);
            }
            chunk = batch.iterator().next().data();
            return chunk;
        } finally {
            if (chunk == null) {
                puller.close();
            } else {
                giveBack(from, puller);
            }
        }
    }

    private Puller take(TopicPartition partition) {
        synchronized (idle) {
            Deque<Puller> pullers = idle.get(partition);
            if (pullers != null) {
                Puller puller = pullers.pop();
                idleCount--;
                if (pullers.isEmpty()) {
                    idle.remove(partition);
                }
                return puller;
            }
        }
        return client.puller(partition);
    }

    /** A puller fetches ahead what the next chunk probably is: worth keeping, a few of them. */
    private void giveBack(TopicPartition partition, Puller puller) {
        synchronized (idle) {
            if (idleCount < IDLE_PULLERS) {
                idle.computeIfAbsent(partition, p -> new ArrayDeque<>()).push(puller);
                idleCount++;
                return;
            }
        }
        puller.close();
    }

    private static JMSException failed(String text, Throwable cause) {
        JMSException failure = new JMSException(text);
        failure.initCause(cause);
        return failure;
    }
}
