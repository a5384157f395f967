package io.metaq.broker.store;

import io.metaq.log.journal.Durability;
import io.metaq.state.ChangeProposal;
import io.metaq.state.Outcome;
import io.metaq.state.record.Change;
import java.util.concurrent.CompletableFuture;

/** A change whose outcome is a future. */
final class FutureChange extends ChangeProposal {
    private final CompletableFuture<Outcome> future = new CompletableFuture<>();

    FutureChange(Change change, Durability durability) {
        super(change, durability);
    }

    CompletableFuture<Outcome> future() {
        return future;
    }

    @Override
    public void committed() {
        future.complete(outcome());
    }

    @Override
    public void failed(Throwable cause) {
        future.completeExceptionally(cause);
    }
}
