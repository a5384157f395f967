package io.metaq.benchmarks.driver;

import java.util.concurrent.CompletableFuture;

/** Named threads whose failure reaches the one who waits for them. */
public final class Threads {

    @FunctionalInterface
    public interface Task {
        void run() throws Exception;
    }

    private Threads() {}

    public static CompletableFuture<Void> run(String name, Task task) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                        end.complete(null);
                    } catch (Throwable failure) {
                        end.completeExceptionally(failure);
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return end;
    }
}
