package io.metaq.client;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Calls an offset store on threads that may block, one call at a time. Commits that pile up behind a slow call become one: the newest
 * offset of each partition is what counts.
 */
final class OffsetKeeper {

    private final OffsetStore store;
    private final String group;
    private final Executor threads;
    private final Object oneCall = new Object();
    private Map<TopicPartition, StoredOffset> next = new HashMap<>();
    private @Nullable CompletableFuture<Void> nextDone;

    OffsetKeeper(OffsetStore store, String group, Executor threads) {
        this.store = store;
        this.group = group;
        this.threads = threads;
    }

    CompletableFuture<@Nullable StoredOffset> load(TopicPartition partition) {
        return run(() -> {
            synchronized (oneCall) {
                return store.load(group, partition);
            }
        });
    }

    /** Stores; completes when these or newer offsets are stored. */
    synchronized CompletableFuture<Void> commit(Map<TopicPartition, StoredOffset> offsets) {
        next.putAll(offsets);
        CompletableFuture<Void> done = nextDone;
        if (done == null) {
            done = new CompletableFuture<>();
            nextDone = done;
            CompletableFuture<Void> mine = done;
            run(this::commitNext).whenComplete((nothing, failure) -> {
                if (failure != null) {
                    mine.completeExceptionally(failure);
                } else {
                    mine.complete(null);
                }
            });
        }
        return done;
    }

    private @Nullable Void commitNext() {
        synchronized (oneCall) {
            Map<TopicPartition, StoredOffset> offsets = takeNext();
            if (!offsets.isEmpty()) {
                store.commit(group, offsets);
            }
            return null;
        }
    }

    private synchronized Map<TopicPartition, StoredOffset> takeNext() {
        Map<TopicPartition, StoredOffset> taken = next;
        next = new HashMap<>();
        nextDone = null;
        return taken;
    }

    private <T> CompletableFuture<T> run(java.util.function.Supplier<T> call) {
        try {
            return CompletableFuture.supplyAsync(call, threads);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(new MetaqException("the client is closed", e));
        }
    }
}
