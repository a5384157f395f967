package io.metaq.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Batches for one partition that wait for their turn. Sending threads add at the end under the queue's lock; the network thread takes
 * from the front.
 *
 * <p>{@code active} means: the network thread will look at this queue without being told. It ends only when that thread finds the queue
 * empty, so in a stream of messages nobody is woken per message.
 */
final class PartitionQueue {

    private static final int SMALLEST_BUFFER = 4 * 1024;

    private final TopicPartition partition;
    private final BatchingProducer producer;
    private final int maxBatchBytes;

    /** By their turn: those that come back do so in any order, and go before all that came after them. */
    private final TreeMap<Long, Batch> full = new TreeMap<>();

    private @Nullable Batch open;
    private boolean active;

    /** With so many messages it goes on; 0 when nobody is waited for. */
    private int expected;

    private boolean retired;
    private long nextTurn;
    private int usualBytes = SMALLEST_BUFFER;

    /** Batches sent and not answered. Belongs to the network thread. */
    int inFlight;

    /** The end of waiting for those who are expected. Belongs to the network thread. */
    @Nullable
    ScheduledFuture<?> patience;

    /** Whose network thread that is; another one's only while nothing is in flight. */
    volatile BrokerSender sender;

    PartitionQueue(TopicPartition partition, BatchingProducer producer, BrokerSender sender, int maxBatchBytes) {
        this.partition = partition;
        this.producer = producer;
        this.sender = sender;
        this.maxBatchBytes = maxBatchBytes;
    }

    TopicPartition partition() {
        return partition;
    }

    /** What adding a message led to. */
    enum Added {
        /** Nothing to do: the network thread will come by. */
        QUIETLY,
        /** The queue has become active, or all have come who were expected: the network thread has to be told. */
        FIRST,
        /** Nothing was added: the queue was given up, and another one is to be made. */
        RETIRED,
        /** A batch has become full: worth telling the network thread even if it would come by later. */
        FILLED
    }

    /** Adds a message. */
    synchronized Added add(Message message, int checksum, int bytes, boolean movable, @Nullable SendCallback callback) {
        if (retired) {
            return Added.RETIRED;
        }
        Batch batch = open;
        boolean filled = false;
        if (batch != null && (!batch.hasRoom(bytes, maxBatchBytes) || batch.movable != movable)) {
            full.put(batch.turn, batch);
            batch = null;
            filled = true;
        }
        if (batch == null) {
            batch = producer.newBatch(Math.max(usualBytes, bytes), movable);
            batch.turn = nextTurn++;
            open = batch;
        }
        batch.add(message, checksum, bytes, callback);
        Durability wanted = message.durability();
        batch.require(wanted == null ? producer.durability() : wanted);
        if (expected > 0 && (filled || batch.count() >= expected)) {
            expected = 0;
            return Added.FIRST;
        }
        if (activate()) {
            return Added.FIRST;
        }
        return filled ? Added.FILLED : Added.QUIETLY;
    }

    /**
     * So many senders are about to be told, and likely to send again at once: together with those who wait already they are to be
     * one batch.
     *
     * @return whether anybody is waited for, until {@link #expectNoMore} at the latest
     */
    synchronized boolean expect(int told) {
        int there = open == null ? 0 : open.count();
        if (!full.isEmpty() || told + there == 1) {
            return false;
        }
        expected = told + there;
        active = true;
        return true;
    }

    synchronized void expectNoMore() {
        expected = 0;
    }

    synchronized boolean isExpecting() {
        return expected > 0;
    }

    /** Adds a batch that another partition could not take. @return whether the network thread has to be told */
    synchronized boolean addMoved(Batch batch) {
        batch.turn = nextTurn++;
        full.put(batch.turn, batch);
        return activate();
    }

    /** Puts a batch of this queue back to where it was. */
    synchronized void putBack(Batch batch) {
        full.put(batch.turn, batch);
        active = true;
    }

    private boolean activate() {
        boolean wake = !active;
        active = true;
        return wake;
    }

    /**
     * Takes the next batch.
     *
     * @param openToo whether a batch that is not full may be taken
     * @return null when there is none; the queue is inactive then if it is empty
     */
    synchronized @Nullable Batch take(boolean openToo) {
        Map.Entry<Long, Batch> first = full.pollFirstEntry();
        Batch next = first == null ? null : first.getValue();
        if (next == null && openToo && open != null) {
            next = open;
            open = null;
        }
        if (next != null) {
            usualBytes = Math.min(maxBatchBytes, Math.max(SMALLEST_BUFFER, (usualBytes + roundUp(next.bytes())) / 2));
        } else {
            active = open != null;
        }
        return next;
    }

    /** Takes out all batches for which this holds, in their order. */
    synchronized List<Batch> removeIf(Predicate<Batch> condition) {
        List<Batch> removed = new ArrayList<>();
        full.values().removeIf(batch -> condition.test(batch) && removed.add(batch));
        Batch last = open;
        if (last != null && condition.test(last)) {
            removed.add(last);
            open = null;
        }
        active = open != null || !full.isEmpty();
        return removed;
    }

    /** Takes out the messages whose callbacks are these. What is here is not under way, and none of it is stored. @return the callbacks */
    synchronized List<SendCallback> withdraw(Predicate<SendCallback> whose) {
        List<SendCallback> withdrawn = new ArrayList<>();
        for (Batch batch : full.values()) {
            withdrawn.addAll(batch.remove(whose));
        }
        full.values().removeIf(Batch::isDone);
        Batch last = open;
        if (last != null) {
            withdrawn.addAll(last.remove(whose));
            open = last.isDone() ? null : last;
        }
        return withdrawn;
    }

    /** Gives the queue up if nothing is in it; on the network thread, when nothing of it is under way. */
    synchronized boolean retire() {
        retired = open == null && full.isEmpty();
        return retired;
    }

    synchronized boolean isEmpty() {
        return open == null && full.isEmpty();
    }

    /** So that a stream of like batches is written without growing a buffer. */
    private static int roundUp(int bytes) {
        return bytes >= 1 << 30 ? bytes : Integer.highestOneBit(Math.max(1, bytes - 1)) << 1;
    }
}
