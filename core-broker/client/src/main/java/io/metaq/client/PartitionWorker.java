package io.metaq.client;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the messages of one partition to its listener and keeps count of what is done. Belongs to the consumer's thread; only the
 * listener calls may be elsewhere.
 *
 * <p>Up to {@code maxParallel} messages are given to the executor in their order, and may end in any order. The position moves over
 * messages that are done without a gap, so that what is stored never skips one that is not.
 */
final class PartitionWorker {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionWorker.class);
    private static final long REJECTED_DELAY_MS = 100;
    private static final int TURN = 1000;

    /** What all workers of a consumer share. */
    record Shared(
            ClientCore core,
            ConsumerThread thread,
            ListenerRunner runner,
            Executor executor,
            int maxParallel,
            boolean borrowPayloads,
            long retryDelayMs,
            long maxRetryDelayMs,
            PartitionReader.Settings reading) {}

    /** A message that was given to the listener and is not done in order yet. */
    private static final class Slot {
        final Message message;
        final long end;
        int failures;
        boolean done;
        boolean held;

        Slot(Message message, long end) {
            this.message = message;
            this.end = end;
        }
    }

    private final Shared shared;
    private final TopicPartition partition;
    private final MessageListener listener;
    private final PartitionReader reader;
    private final ArrayDeque<Fetched> fetches = new ArrayDeque<>();
    private final ArrayDeque<Slot> window = new ArrayDeque<>();
    private @Nullable CheckedBatch batch;
    private Iterator<Message> messages = Collections.emptyIterator();
    private @Nullable CompletableFuture<Void> stopping;
    private long corruptAt = -1;
    private int running;
    private int round;
    private boolean dispatching;
    private volatile boolean paused;

    private volatile StoredOffset position = new StoredOffset(-1, -1);
    private volatile boolean stopped;

    /** What is stored of this partition, null if nothing is. */
    @Nullable
    StoredOffset stored;

    PartitionWorker(Shared shared, TopicPartition partition, MessageListener listener) {
        this.shared = shared;
        this.partition = partition;
        this.listener = listener;
        this.reader = new PartitionReader(
                shared.core,
                partition,
                shared.reading,
                (ofRound, fetched) ->
                        shared.thread.run(() -> arrived(ofRound, fetched), () -> PartitionReader.discard(fetched)));
    }

    TopicPartition partition() {
        return partition;
    }

    /** First message that is not done; offset -1 before {@link #begin}. */
    StoredOffset position() {
        return position;
    }

    void begin(StoredOffset from) {
        if (!stopped) {
            position = from;
            reader.start(from.offset(), ++round);
        }
    }

    /** Keeps further messages from the listener, or not, from the next message on. May be called on any thread. */
    void holdBack(boolean wanted) {
        paused = wanted;
    }

    void pause(boolean wanted) {
        paused = wanted;
        reader.pause(wanted);
        if (!wanted) {
            for (Slot slot : window) {
                if (slot.held) {
                    slot.held = false;
                    shared.thread.later(() -> again(slot));
                }
            }
            dispatch();
        }
    }

    /** Keeps any further message from the listener. May be called on any thread, and takes effect between two messages. */
    void halt() {
        stopped = true;
        reader.stop();
    }

    /** Ends this worker. @return completes when no listener call is under way any more */
    CompletableFuture<Void> stop() {
        halt();
        closeBatch();
        fetches.forEach(PartitionReader::discard);
        fetches.clear();
        if (stopping == null) {
            stopping = new CompletableFuture<>();
        }
        if (running == 0) {
            stopping.complete(null);
        }
        return stopping;
    }

    private void arrived(int ofRound, Fetched fetched) {
        if (stopped || ofRound != round) {
            PartitionReader.discard(fetched);
        } else {
            fetches.add(fetched);
            dispatch();
        }
    }

    /**
     * Gives messages to the listener as long as there are any and the window has room; some at a time, so that one busy partition does
     * not starve the others of this thread.
     */
    private void dispatch() {
        if (dispatching) {
            return;
        }
        dispatching = true;
        try {
            for (int given = 0; !stopped && !paused && window.size() < shared.maxParallel; given++) {
                if (given == TURN) {
                    shared.thread.later(this::dispatch);
                    return;
                }
                Slot slot = next();
                if (slot == null) {
                    return;
                }
                window.add(slot);
                give(slot);
            }
        } finally {
            dispatching = false;
        }
    }

    private @Nullable Slot next() {
        while (!messages.hasNext()) {
            CheckedBatch worked = batch;
            closeBatch();
            if (worked != null) {
                reader.taken(worked.bytes());
            }
            Fetched fetched = fetches.poll();
            if (fetched instanceof Fetched.Failed failed
                    && failed.failure() instanceof CorruptMessageException damage) {
                damaged(damage);
            }
            if (!(fetched instanceof Fetched.Data data) || !open(data)) {
                return null;
            }
        }
        Message message = messages.next();
        if (!shared.borrowPayloads) {
            message.payload().detach();
        }
        return new Slot(message, message.offset() + storedSize(message));
    }

    private boolean open(Fetched.Data data) {
        long wanted = data.nextOffset();
        try {
            CheckedBatch checked =
                    CheckedBatch.of(partition, shared.core.brokers().known(partition), data);
            batch = checked;
            messages = checked.iterator();
            if (checked.nextOffset() < wanted) {
                readAgainFrom(checked.nextOffset());
            }
            return true;
        } catch (CorruptMessageException e) {
            damaged(e);
            return false;
        }
    }

    private long storedSize(Message message) {
        CheckedBatch open = batch;
        if (open == null) {
            throw new IllegalStateException("a message without its batch");
        }
        return open.sizeAt(message.offset());
    }

    private void closeBatch() {
        if (batch != null) {
            batch.close();
            batch = null;
        }
        messages = Collections.emptyIterator();
    }

    private void readAgainFrom(long offset) {
        fetches.forEach(PartitionReader::discard);
        fetches.clear();
        reader.start(offset, ++round);
    }

    /** The first time it may have been the way here: read it again. The second time go over it, said aloud. */
    private void damaged(CorruptMessageException damage) {
        if (corruptAt != damage.offset()) {
            corruptAt = damage.offset();
            readAgainFrom(damage.offset());
            return;
        }
        if (damage.nextOffset() > damage.offset()) {
            passOver(damage, damage.nextOffset());
            return;
        }
        Resync.find(shared.core, partition, shared.reading.group(), damage.offset() + 1)
                .whenComplete((found, failure) -> shared.thread.run(() -> {
                    if (failure == null) {
                        passOver(damage, found);
                    } else {
                        shared.thread.after(1_000, () -> damaged(damage));
                    }
                }));
    }

    private void passOver(CorruptMessageException damage, long next) {
        LOG.error(
                "group {} passes over bytes {} to {} of {}: {}",
                shared.reading.group(),
                damage.offset(),
                next,
                partition,
                damage.getMessage());
        if (stopped) {
            return;
        }
        if (window.isEmpty()) {
            position = new StoredOffset(next, position.messageId());
        }
        readAgainFrom(next);
    }

    private void give(Slot slot) {
        running++;
        try {
            shared.executor.execute(() -> {
                boolean done = !stopped && shared.runner.run(listener, slot.message, slot.failures);
                shared.thread.run(() -> finished(slot, done));
            });
        } catch (RejectedExecutionException e) {
            running--;
            LOG.debug("the executor takes no message of {} now", partition, e);
            shared.thread.after(REJECTED_DELAY_MS, () -> again(slot));
        }
    }

    private void finished(Slot slot, boolean done) {
        running--;
        slot.done = done;
        while (!window.isEmpty() && window.getFirst().done) {
            Slot first = window.removeFirst();
            position = new StoredOffset(first.end, first.message.id());
        }
        if (stopped) {
            if (stopping != null && running == 0) {
                stopping.complete(null);
            }
        } else if (done) {
            dispatch();
        } else {
            retryLater(slot);
        }
    }

    private void retryLater(Slot slot) {
        int doublings = Math.min(slot.failures, 20);
        slot.failures++;
        long delayMs = Math.min(shared.maxRetryDelayMs, shared.retryDelayMs << doublings);
        shared.thread.after(delayMs, () -> again(slot));
    }

    private void again(Slot slot) {
        if (stopped) {
            return;
        }
        if (paused) {
            slot.held = true;
        } else {
            give(slot);
        }
    }
}
