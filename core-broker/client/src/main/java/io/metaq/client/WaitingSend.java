package io.metaq.client;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What a thread waits for that sends by a {@link SharedSends}. The first outcome counts. */
final class WaitingSend extends CompletableFuture<SendResult> implements SendCallback {

    private final SharedSends owner;

    WaitingSend(SharedSends owner) {
        this.owner = owner;
    }

    SharedSends owner() {
        return owner;
    }

    @Override
    public void completed(@Nullable SendResult result, @Nullable MetaqException failure) {
        if (failure != null) {
            completeExceptionally(failure);
        } else {
            complete(result);
        }
    }
}
