package io.metaq.broker.store;

import io.metaq.log.checkpoint.CheckpointStore;
import io.metaq.log.file.Storage;
import io.metaq.log.file.StorageFullException;
import io.metaq.log.journal.FatalErrorListener;
import io.metaq.log.journal.Journal;
import io.metaq.log.journal.JournalClosedException;
import io.metaq.state.BrokerState;
import io.metaq.state.Partition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the state to disk now and then, so that a restart replays little and journal segments can be used again.
 *
 * <p>Order of a checkpoint: the state is copied between two batches; journal and partition logs are synced; the checkpoint is
 * written, synced and renamed; only then are journal segments and the files of deleted topics let go. A crash between any
 * two of these steps leaves the checkpoint before, with all that it needs.
 */
final class Checkpointer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpointer.class);
    private static final long LOOK_EVERY_MS = 200;

    /** A large transaction that is becoming readable is copied before the state is. */
    private static final long COPY_SECONDS = 600;

    /** How many times the usual distance a checkpoint may be put off. */
    private static final long PATIENCE = 4;

    private final StoreConfig config;
    private final Storage storage;
    private final BrokerState state;
    private final Journal journal;
    private final CheckpointStore checkpoints;
    private final FatalErrorListener onFatal;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread checkpoint = new Thread(task, "metaq-checkpoint");
        checkpoint.setDaemon(true);
        return checkpoint;
    });
    // Kept over a checkpoint that failed, for the next one.
    private final Set<Partition> unsynced = new LinkedHashSet<>();
    private final Set<Path> deletedFolders = new LinkedHashSet<>();
    private boolean full;
    private long lastPosition;
    private long lastNanos = System.nanoTime();

    private record Copy(long position, byte[] bytes, List<Partition> unsynced, List<Path> deletedFolders) {}

    Checkpointer(
            StoreConfig config,
            Storage storage,
            BrokerState state,
            Journal journal,
            CheckpointStore checkpoints,
            long lastPosition,
            FatalErrorListener onFatal) {
        this.config = config;
        this.storage = storage;
        this.state = state;
        this.journal = journal;
        this.checkpoints = checkpoints;
        this.lastPosition = lastPosition;
        this.onFatal = onFatal;
    }

    void start() {
        thread.scheduleWithFixedDelay(this::look, LOOK_EVERY_MS, LOOK_EVERY_MS, TimeUnit.MILLISECONDS);
    }

    private void look() {
        long bytes = journal.endPosition() - lastPosition;
        boolean due = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lastNanos) >= config.checkpointIntervalMs();
        // Without room for messages there is none for a checkpoint, and the state is ahead of the partition logs.
        // A large transaction that is just becoming readable would have to be so at once.
        boolean later = state.committing() && bytes < PATIENCE * config.checkpointBytes();
        if (!state.unwritten() && !later && (bytes >= config.checkpointBytes() || bytes > 0 && due)) {
            try {
                take();
                full = false;
            } catch (StorageFullException e) {
                if (!full) {
                    LOG.warn("no checkpoint: {}; the one before stays in force", e.getMessage());
                }
                full = true;
            } catch (IOException | RuntimeException e) {
                // A failed sync means that pages were lost: what partition logs hold can no longer be promised.
                onFatal.journalFailed(e);
            }
        }
    }

    /** Takes one now, on the checkpoint thread, and waits. */
    void checkpoint() throws IOException {
        try {
            CompletableFuture.runAsync(
                            () -> {
                                try {
                                    take();
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            },
                            thread)
                    .join();
        } catch (CompletionException e) {
            throw new IOException("checkpoint failed", e.getCause());
        }
    }

    private void take() throws IOException {
        Copy copy = copyState();
        // The checkpoint must not know more than the journal after a power cut.
        journal.sync();
        unsynced.addAll(copy.unsynced());
        deletedFolders.addAll(copy.deletedFolders());
        new PartitionSync(unsynced).run();
        long needed = checkpoints.write(copy.position(), ByteBuffer.wrap(copy.bytes()));
        journal.recycleBefore(needed);
        unsynced.clear();
        for (Path folder : deletedFolders) {
            deleteTree(folder);
        }
        deletedFolders.clear();
        lastPosition = copy.position();
        lastNanos = System.nanoTime();
        LOG.debug("checkpoint at journal position {}, {} bytes", copy.position(), copy.bytes().length);
    }

    private Copy copyState() throws IOException {
        CompletableFuture<Copy> copied = new CompletableFuture<>();
        try {
            journal.execute(() -> {
                try {
                    copied.complete(new Copy(
                            state.appliedPosition(),
                            state.snapshot(),
                            state.takeUnsynced(),
                            state.takeDeletedFolders()));
                } catch (IOException | RuntimeException e) {
                    copied.completeExceptionally(e);
                }
            });
            return copied.get(COPY_SECONDS, TimeUnit.SECONDS);
        } catch (JournalClosedException e) {
            throw new IOException("the journal has ended", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            if (e.getCause() instanceof StorageFullException full) {
                throw full; // the next one may have room
            }
            throw new IOException("the state could not be copied", e);
        }
    }

    private void deleteTree(Path folder) throws IOException {
        if (storage.isDirectory(folder)) {
            for (Path entry : storage.list(folder)) {
                deleteTree(entry);
            }
        }
        storage.delete(folder);
    }

    /** Takes a last checkpoint, so that the next start replays nothing. */
    @Override
    public void close() {
        // Not shutdownNow: an interrupt in the middle of a write would close the file under it.
        thread.shutdown();
        try {
            if (!thread.awaitTermination(30, TimeUnit.SECONDS)) {
                LOG.warn("a checkpoint is still under way after 30 s: stopping without another");
                return;
            }
            if (journal.endPosition() > lastPosition) {
                take();
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("no checkpoint at the end: {}; the next start replays the journal", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
