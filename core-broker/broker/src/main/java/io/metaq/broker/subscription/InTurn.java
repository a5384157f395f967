package io.metaq.broker.subscription;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Does the steps that concern one name one after the other, each when the one before has ended. Any thread. */
final class InTurn {
    private final Map<String, CompletableFuture<?>> last = new ConcurrentHashMap<>();

    <T> CompletableFuture<T> run(String name, Supplier<CompletableFuture<T>> step) {
        CompletableFuture<T> done = new CompletableFuture<>();
        CompletableFuture<?> before = last.put(name, done);
        CompletableFuture<?> start = before == null ? CompletableFuture.completedFuture(null) : before;
        start.handle((value, failure) -> step.get())
                .thenCompose(running -> running)
                .whenComplete((value, failure) -> {
                    last.remove(name, done);
                    if (failure == null) {
                        done.complete(value);
                    } else {
                        done.completeExceptionally(failure);
                    }
                });
        return done;
    }
}
