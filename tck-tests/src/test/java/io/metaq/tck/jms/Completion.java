package io.metaq.tck.jms;

import jakarta.jms.CompletionListener;
import jakarta.jms.Message;
import java.util.concurrent.CompletableFuture;

/** Completes a future as the send completes. */
record Completion(CompletableFuture<Message> outcome) implements CompletionListener {
    @Override
    public void onCompletion(Message message) {
        outcome.complete(message);
    }

    @Override
    public void onException(Message message, Exception exception) {
        outcome.completeExceptionally(exception);
    }
}
