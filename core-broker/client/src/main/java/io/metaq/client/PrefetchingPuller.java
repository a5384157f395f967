package io.metaq.client;

import io.metaq.client.net.Link;
import io.metaq.client.net.Transport.Purpose;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A puller that asks for the slice behind the one it returns at once, so that it is on its way while the caller works. What was
 * fetched ahead is used only if the caller asks for exactly that.
 */
final class PrefetchingPuller implements Puller {

    private static final String GROUP = "metaq-puller";

    private final ClientCore core;
    private final TopicPartition partition;
    private final BrokerAddress server;
    private final Link link;
    private final Object lock = new Object();
    private @Nullable Ahead ahead;
    private @Nullable CompletableFuture<Fetched> waiting;
    private boolean closed;

    private record Ahead(long offset, int maxBytes, CompletableFuture<Fetched> outcome) {}

    PrefetchingPuller(ClientCore core, TopicPartition partition) {
        this.core = core;
        this.partition = partition;
        this.server = core.brokers().known(partition);
        this.link = core.brokers().link(server, Purpose.CONSUME);
    }

    @Override
    public TopicPartition partition() {
        return partition;
    }

    @Override
    public FetchedBatch fetch(long offset, int maxBytes, Duration wait) {
        Fetched fetched = next(offset, maxBytes, (int) Math.min(wait.toMillis(), Integer.MAX_VALUE / 2));
        if (fetched instanceof Fetched.Failed failed) {
            throw Calls.rethrow("fetch from " + partition, failed.failure());
        }
        if (fetched instanceof Fetched.End end) {
            return CheckedBatch.empty(partition, end.offset());
        }
        Fetched.Data data = (Fetched.Data) fetched;
        long nextOffset = data.nextOffset();
        synchronized (lock) {
            if (!closed) {
                ahead = new Ahead(nextOffset, maxBytes, start(nextOffset, maxBytes, 0));
            }
        }
        return CheckedBatch.of(partition, server, data);
    }

    private Fetched next(long offset, int maxBytes, int waitMs) {
        Ahead fetchedAhead = takeAhead();
        if (fetchedAhead != null && fetchedAhead.offset == offset && fetchedAhead.maxBytes == maxBytes) {
            Fetched fetched = await(fetchedAhead.outcome, 0);
            if (fetched instanceof Fetched.Data) {
                return fetched;
            }
            // What was not there when it was asked for ahead may be there now, and the caller may be ready to wait.
        } else if (fetchedAhead != null) {
            fetchedAhead.outcome.thenAccept(PrefetchingPuller::discard);
        }
        return await(start(offset, maxBytes, waitMs), waitMs);
    }

    private @Nullable Ahead takeAhead() {
        synchronized (lock) {
            if (closed) {
                throw new ClientClosedException("the puller", false);
            }
            Ahead taken = ahead;
            ahead = null;
            return taken;
        }
    }

    private Fetched await(CompletableFuture<Fetched> outcome, int waitMs) {
        synchronized (lock) {
            waiting = outcome;
        }
        Duration limit = core.requestTimeout().multipliedBy(8).plusMillis(waitMs);
        Fetched fetched = Calls.await(outcome, "fetch from " + partition, limit);
        synchronized (lock) {
            waiting = null;
        }
        return fetched;
    }

    private CompletableFuture<Fetched> start(long offset, int maxBytes, int waitMs) {
        CompletableFuture<Fetched> outcome = new CompletableFuture<>();
        int timeoutMs = (int) core.requestTimeout().toMillis();
        PartitionFetch.start(
                link,
                server,
                partition,
                offset,
                new PartitionFetch.Asked(GROUP, maxBytes, core.maxFetchBytes(), waitMs, timeoutMs),
                fetched -> {
                    if (!outcome.complete(fetched)) {
                        discard(fetched);
                    }
                });
        return outcome;
    }

    private static void discard(Fetched fetched) {
        if (fetched instanceof Fetched.Data data) {
            data.content().release();
        }
    }

    @Override
    public long offsetOf(Start start) {
        long timeoutMs = core.requestTimeout().toMillis();
        return Calls.await(
                StartOffset.resolve(link, server, partition, GROUP, start, timeoutMs),
                "offset of " + start,
                core.requestTimeout().multipliedBy(2).plusSeconds(2));
    }

    @Override
    public void close() {
        Ahead left;
        CompletableFuture<Fetched> caller;
        synchronized (lock) {
            closed = true;
            left = ahead;
            ahead = null;
            caller = waiting;
        }
        if (left != null) {
            left.outcome.thenAccept(PrefetchingPuller::discard);
        }
        if (caller != null) {
            caller.completeExceptionally(new ClientClosedException("the puller", false));
        }
        core.forget(this);
    }
}
