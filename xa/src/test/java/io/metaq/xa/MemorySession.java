package io.metaq.xa;

import io.metaq.client.subscription.TransactionParts;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A session that sends one message at a time, and remembers what became of its contributions. */
final class MemorySession implements XaSession {

    final List<String> outcomes = new ArrayList<>();
    private final ResourceManager manager;

    @Nullable
    Work current;

    MemorySession(ResourceManager manager) {
        this.manager = manager;
    }

    void send() {
        Work work = current;
        if (work == null) {
            throw new IllegalStateException("in no branch");
        }
        work.parts.send("t", 0, 0, new byte[1]);
    }

    @Override
    public ResourceManager manager() {
        return manager;
    }

    @Override
    public Contribution contribute(Branch branch) {
        return new Work(branch);
    }

    @Override
    public void enter(Contribution contribution) {
        current = (Work) contribution;
    }

    @Override
    public void leave() {
        current = null;
    }

    final class Work implements Contribution {
        final Branch branch;
        private TransactionParts parts = new TransactionParts();

        private Work(Branch branch) {
            this.branch = branch;
        }

        @Override
        public ResourceManager manager() {
            return manager;
        }

        @Override
        public TransactionParts take() {
            TransactionParts taken = parts;
            parts = new TransactionParts();
            return taken;
        }

        @Override
        public void committed() {
            outcomes.add("committed");
        }

        @Override
        public void rolledBack(boolean sent) {
            outcomes.add(sent ? "rolled back by the broker" : "rolled back here");
        }
    }
}
