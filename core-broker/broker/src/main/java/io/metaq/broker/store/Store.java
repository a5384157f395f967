package io.metaq.broker.store;

import io.metaq.log.checkpoint.Checkpoint;
import io.metaq.log.checkpoint.CheckpointStore;
import io.metaq.log.file.DirectoryLock;
import io.metaq.log.file.Storage;
import io.metaq.log.journal.Durability;
import io.metaq.log.journal.Journal;
import io.metaq.log.journal.JournalClosedException;
import io.metaq.log.journal.Proposal;
import io.metaq.log.partition.DamagedRange;
import io.metaq.log.partition.OpenFiles;
import io.metaq.state.BrokerState;
import io.metaq.state.Outcome;
import io.metaq.state.Partition;
import io.metaq.state.TemporaryTopics;
import io.metaq.state.record.Change;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The durable half of a broker. What is proposed here is in the journal, applied to the state and then answered; what a
 * process that ended without warning had promised is there again after {@link #open}.
 */
public final class Store implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Store.class);

    /** Bits of a message id below the broker's number: 2^53 messages per broker. */
    private static final int MESSAGE_NUMBER_BITS = 53;
    /** A broker founded a second later starts its ids so many higher: those of a lost data directory do not come again. */
    private static final int MESSAGES_PER_SECOND_BITS = 21;

    /** Messages of temporary topics are numbered from here on: the journal's do not get so far before the year 2091. */
    private static final long TEMPORARY_NUMBERS = 1L << MESSAGE_NUMBER_BITS - 1;

    private static final long FOUNDING_EPOCH_SECONDS = 1_700_000_000L;

    private final DirectoryLock lock;
    private final Path attic;
    private final OpenFiles files;
    private final BrokerState state;
    private final Journal journal;
    private final Checkpointer checkpointer;
    private final String resourceManager;
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

    /**
     * Opens the data directory, recovering what is there.
     *
     * @throws IOException if it is in use, damaged (the message names file and position) or cannot be read
     */
    public static Store open(StoreConfig config, Storage storage, Clock clock) throws IOException {
        DirectoryLock lock = DirectoryLock.acquire(config.dataPath());
        try {
            return new Store(config, storage, clock, lock);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private Store(StoreConfig config, Storage storage, Clock clock, DirectoryLock lock) throws IOException {
        this.lock = lock;
        this.attic = config.journal().attic();
        this.resourceManager = ResourceManagerId.of(config.dataPath());
        this.files = new OpenFiles(storage, config.maxOpenFiles());
        long now = numberAt(clock);
        TemporaryTopics temporary =
                new TemporaryTopics(messageId(config.brokerId(), TEMPORARY_NUMBERS | now), config.maxTemporaryBytes());
        this.state = new BrokerState(config.dataPath().resolve("partitions"), files, config.segmentBytes(), temporary);
        CheckpointStore checkpoints = new CheckpointStore(config.dataPath().resolve("checkpoint"), storage);
        long from = restore(checkpoints);
        this.journal = Journal.open(config.journal(), storage);
        try {
            refuseOrphans(config, storage);
            journal.replay(from, state);
            state.recovered();
            LOG.info("journal replayed from position {} to {}", from, journal.endPosition());
            journal.start(state, this::fail);
            this.checkpointer = new Checkpointer(config, storage, state, journal, checkpoints, from, this::fail);
            if (!state.founded()) {
                found(config.brokerId(), clock);
            }
            checkpointer.start();
        } catch (IOException | RuntimeException e) {
            closeQuietly(e);
            throw e;
        }
    }

    /** Partition logs without the journal that made them would be taken for leftovers and emptied. */
    private void refuseOrphans(StoreConfig config, Storage storage) throws IOException {
        Path partitions = config.dataPath().resolve("partitions");
        boolean unknown = state.appliedPosition() == 0 && journal.isEmpty();
        if (unknown && !storage.list(partitions).isEmpty()) {
            throw new IOException(partitions + " holds messages, but neither "
                    + config.journal().directory() + " nor "
                    + config.dataPath().resolve("checkpoint")
                    + " does: bring them back, or move the messages away to begin anew");
        }
    }

    private long restore(CheckpointStore checkpoints) throws IOException {
        Optional<Checkpoint> newest = checkpoints.readNewest();
        if (newest.isEmpty()) {
            return 0;
        }
        byte[] snapshot = new byte[newest.get().payload().remaining()];
        newest.get().payload().get(snapshot);
        return state.restore(snapshot);
    }

    private static long messageId(int brokerId, long number) {
        return (long) brokerId << MESSAGE_NUMBER_BITS | number;
    }

    /** Where message numbers start when they are first given now. */
    private static long numberAt(Clock clock) {
        long seconds = Math.max(0, clock.millis() / 1000 - FOUNDING_EPOCH_SECONDS);
        return (seconds << MESSAGES_PER_SECOND_BITS & TEMPORARY_NUMBERS - 1) + 1;
    }

    private void found(int brokerId, Clock clock) {
        try {
            change(new Change.BrokerFounded(messageId(brokerId, numberAt(clock))), Durability.DISK)
                    .join();
        } catch (CompletionException e) {
            throw new IllegalStateException(
                    "the journal cannot be begun: " + (e.getCause() == null ? e : e.getCause()).getMessage(), e);
        }
    }

    private void closeQuietly(Exception cause) {
        try {
            journal.close();
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    private void fail(Throwable cause) {
        if (failure.complete(cause)) {
            LOG.error("the broker leaves service: what it writes may not be kept", cause);
        }
    }

    public BrokerState state() {
        return state;
    }

    /** By this coordinators of transactions tell this broker's data from another's, whatever its address. */
    public String resourceManager() {
        return resourceManager;
    }

    /** Completes with the cause when the disk failed in a way that nothing more may be promised. */
    public CompletableFuture<Throwable> failure() {
        return failure;
    }

    /** Hands a proposal to the journal; the proposal is told of its end in any case. Any thread. */
    public void propose(Proposal proposal) {
        try {
            if (!journal.offer(proposal)) {
                proposal.failed(new BusyException(journal.queuedBytes()));
            }
        } catch (JournalClosedException | IllegalArgumentException e) {
            proposal.failed(e);
        }
    }

    /** Proposes a change; the future fails if it did not enter the journal. Any thread. */
    public CompletableFuture<Outcome> change(Change change, Durability durability) {
        FutureChange proposal = new FutureChange(change, durability);
        propose(proposal);
        return proposal.future();
    }

    /** Whether the disk has no room for messages. */
    public boolean full() {
        return journal.full() || state.unwritten();
    }

    /** Tries again to write what waits for room on the disk. To be called about twice a second. */
    public void retry() {
        if (state.unwritten()) {
            journal.execute(() -> {
                try {
                    state.retryFlush();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    /** Most bytes that one proposal's body may have. */
    public int maxBodyBytes() {
        return journal.maxBodyBytes();
    }

    /** Takes a damaged range of a partition log out of service; the future gives the copy of its bytes. */
    public CompletableFuture<Path> setAside(Partition partition, DamagedRange range) {
        CompletableFuture<Path> copied = new CompletableFuture<>();
        journal.execute(() -> {
            try {
                copied.complete(partition.files().setAside(range, attic));
            } catch (IOException | RuntimeException e) {
                copied.completeExceptionally(e);
            }
        });
        return copied;
    }

    /** Takes a checkpoint now and waits for it. */
    public void checkpoint() throws IOException {
        checkpointer.checkpoint();
    }

    /** Writes what was proposed, takes a checkpoint, lets go of the directory. */
    @Override
    public void close() throws IOException {
        try {
            checkpointer.close();
            journal.close();
            state.close();
            files.close();
        } finally {
            lock.close();
        }
    }
}
