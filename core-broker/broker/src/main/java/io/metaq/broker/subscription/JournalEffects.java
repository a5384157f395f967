package io.metaq.broker.subscription;

import io.metaq.broker.store.Store;
import io.metaq.log.journal.Durability;
import io.metaq.state.AcknowledgeProposal;
import io.metaq.state.ChangeProposal;
import io.metaq.state.MovedProposal;
import io.metaq.state.Outcome;
import io.metaq.state.Refusal;
import io.metaq.state.Topic;
import io.metaq.state.dispatch.Effects;
import io.metaq.state.dispatch.Move;
import io.metaq.state.dispatch.RedeliveryPolicy;
import io.metaq.state.record.Change;
import io.metaq.state.record.MessageRecord;
import io.metaq.state.record.MovedRecord;
import io.metaq.state.subscription.Cursor;
import io.metaq.state.subscription.MessageRanges;
import io.metaq.state.subscription.Subscription;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a dispatch asks for, done: by records of the journal; for a subscription that is not journalled, at once. */
final class JournalEffects implements Effects {
    private static final Logger LOG = LoggerFactory.getLogger(JournalEffects.class);

    /** The clock may be set: a long wait looks at it now and then. */
    private static final long LONGEST_SLEEP_MS = 5_000;

    private static final long SHORTEST_SLEEP_MS = 1;

    private final Dispatches registry;
    private final Store store;
    private final HostedDispatch host;
    private final Subscription subscription;

    JournalEffects(Dispatches registry, HostedDispatch host) {
        this.registry = registry;
        this.store = registry.store();
        this.host = host;
        this.subscription = host.subscription();
    }

    @Override
    public long nowMs() {
        return registry.clock().millis();
    }

    @Override
    public RedeliveryPolicy policy() {
        return registry.rules().policy(host.topic());
    }

    @Override
    public void soon(Runnable task) {
        host.loop().execute(() -> host.run(task));
    }

    @Override
    public void advanced(Runnable task) {
        if (host.topic().temporary() || host.loop().here()) {
            soon(task);
        } else {
            // The journal's thread: it wakes the loops once, when the batch is answered.
            host.loop().afterBatch(() -> host.run(task));
        }
    }

    @Override
    public Runnable at(long timeMs, Runnable task) {
        Timer timer = new Timer(timeMs, task);
        timer.sleep();
        return timer::cancel;
    }

    private final class Timer {
        private final long timeMs;
        private final Runnable task;
        private Runnable cancelSleep = () -> {};

        Timer(long timeMs, Runnable task) {
            this.timeMs = timeMs;
            this.task = task;
        }

        void sleep() {
            long left = timeMs - nowMs();
            cancelSleep = host.loop()
                    .schedule(
                            Math.max(SHORTEST_SLEEP_MS, Math.min(left, LONGEST_SLEEP_MS)), () -> host.run(this::look));
        }

        private void look() {
            if (nowMs() >= timeMs) {
                task.run();
            } else {
                sleep();
            }
        }

        void cancel() {
            cancelSleep.run();
        }
    }

    private void finish(Completion completion, @Nullable Throwable failure) {
        host.run(() -> completion.done(failure));
    }

    private void committed(Completion completion) {
        host.loop().afterBatch(() -> finish(completion, null));
    }

    private void failed(Completion completion, Throwable cause) {
        host.loop().execute(() -> finish(completion, cause));
    }

    @Override
    public void acknowledge(MessageRanges ranges, Completion completion) {
        if (subscription.isTransient()) {
            for (int i = 0; i < ranges.size(); i++) {
                subscription.cursor(ranges.partition(i)).acknowledge(ranges.from(i), ranges.to(i), ranges.messages(i));
            }
            trimTemporary();
            soon(() -> completion.done(null));
            return;
        }
        store.propose(new AcknowledgeProposal(subscription.id(), ranges, Durability.OS) {
            @Override
            public void committed() {
                JournalEffects.this.committed(completion);
            }

            @Override
            public void failed(Throwable cause) {
                JournalEffects.this.failed(completion, cause);
            }
        });
    }

    private void trimTemporary() {
        if (host.topic().temporary()) {
            store.state().temporary().trim(host.topic());
        }
    }

    @Override
    public void returned(int partition, long[] offsets, long[] notBeforeMs) {
        if (subscription.isTransient()) {
            Cursor cursor = subscription.cursor(partition);
            for (int i = 0; i < offsets.length; i++) {
                cursor.returned(offsets[i], notBeforeMs[i]);
            }
            return;
        }
        List<Change.ReturnedMessage> messages = new ArrayList<>(offsets.length);
        for (int i = 0; i < offsets.length; i++) {
            messages.add(new Change.ReturnedMessage(offsets[i], notBeforeMs[i]));
        }
        propose(new Change.Returned(subscription.id(), partition, messages), failure -> {
            if (failure != null) {
                LOG.warn(
                        "delivery counts of {} are not kept: {}",
                        subscription.info().name(),
                        failure.getMessage());
            }
        });
    }

    @Override
    public void mark(int partition, long offset, Completion completion) {
        propose(new Change.DeliveredMark(subscription.id(), partition, offset), completion);
    }

    /** What comes of it when the subscription is gone concerns nobody any more. */
    private void propose(Change change, Completion completion) {
        store.propose(new ChangeProposal(change, Durability.OS) {
            @Override
            public void committed() {
                JournalEffects.this.committed(completion);
            }

            @Override
            public void failed(Throwable cause) {
                JournalEffects.this.failed(completion, cause);
            }
        });
    }

    @Override
    public void move(Move move, Completion completion) {
        Topic target = store.state().topic(move.target());
        if (target != null) {
            move(move, target, completion);
            return;
        }
        Change creation = registry.rules().onDemand(move.target(), true).orElse(null);
        if (creation == null) {
            soon(() -> completion.done(new IOException("there is no queue " + move.target() + " for what went wrong in "
                    + host.topic().name() + ", and it must not be created")));
            return;
        }
        store.change(creation, Durability.DISK)
                .whenComplete((outcome, failure) ->
                        host.loop().execute(() -> host.run(() -> created(move, outcome, failure, completion))));
    }

    private void created(Move move, @Nullable Outcome outcome, @Nullable Throwable failure, Completion completion) {
        Topic target = store.state().topic(move.target());
        if (target != null) {
            move(move, target, completion);
        } else if (outcome instanceof Outcome.Refused refused) {
            completion.done(new IOException(refused.text()));
        } else {
            completion.done(failure == null ? new IOException("there is no " + move.target()) : failure);
        }
    }

    private void move(Move move, Topic target, Completion completion) {
        MovedRecord moved = new MovedRecord(subscription.id(), move.partition(), move.from(), move.to(), 1);
        MessageRecord record = new MessageRecord(target.id(), 0, nowMs(), 0, 0, 1);
        store.propose(new MovedProposal(moved, record, Durability.OS, move.message()) {
            @Override
            public void committed() {
                host.loop().afterBatch(() -> host.run(() -> completion.done(moved(move, outcome()))));
            }

            @Override
            public void failed(Throwable cause) {
                JournalEffects.this.failed(completion, cause);
            }
        });
    }

    private @Nullable Throwable moved(Move move, Outcome outcome) {
        if (outcome instanceof Outcome.Refused refused && refused.reason() != Refusal.NOT_PENDING) {
            LOG.warn(
                    "a message of {} ({}) stays for now, {} does not take it: {}",
                    subscription.info().name(),
                    move.reason(),
                    move.target(),
                    refused.text());
            return new IOException(refused.text());
        }
        if (subscription.isTransient()) {
            subscription.cursor(move.partition()).acknowledge(move.from(), move.to(), 1);
            trimTemporary();
        }
        return null;
    }

    @Override
    public void idle() {
        host.idle();
    }

    @Override
    public void unreadable(int partition, IOException cause) {
        LOG.error(
                "partition {} of {} cannot be read for deliveries",
                partition,
                host.topic().name(),
                cause);
    }
}
