package io.metaq.client;

import io.metaq.protocol.Request;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Messages of one producer for one partition, encoded one behind the other, and who is to be told of each. Filled by sending threads
 * under the lock of its queue, then owned by the network thread alone.
 *
 * <p>A batch is told message by message ({@link #stored}, {@link #refuseFirst}) or as a whole; {@link #done} completes with the last.
 */
final class Batch {

    private static final int USUAL_COUNT = 16;

    final long deadlineNanos;
    final boolean movable;
    final CompletableFuture<Batch> done = new CompletableFuture<>();

    private ByteBuf data;
    private @Nullable SendCallback[] callbacks = new SendCallback[USUAL_COUNT];
    private int[] ends = new int[USUAL_COUNT];
    private int count;
    private int first;
    private long reserved;
    private @Nullable Durability durability;

    /** Its place among those of its queue, which gives it. */
    long turn;

    /** Sequence of the first message at the broker it is bound for, -1 while it has none. */
    long sequence = -1;

    /** When it was last written. */
    long writtenNanos;

    /** Written to a connection that ended before the answer: only the same broker can tell whether it is stored. */
    boolean unanswered;

    /** Some time written to a connection that ended before the answer, and not answered since by more than "not now". */
    boolean uncertain;

    /** What went wrong last, for the case that time runs out. */
    @Nullable
    MetaqException trouble;

    Batch(ByteBuf data, long deadlineNanos, boolean movable) {
        this.data = data;
        this.deadlineNanos = deadlineNanos;
        this.movable = movable;
    }

    /** Whether a message of this size fits without growing beyond the limit. An empty batch takes any message. */
    boolean hasRoom(int bytes, int limit) {
        return count == 0 || data.writerIndex() + bytes <= limit;
    }

    void add(Message message, int checksum, int reservedBytes, @Nullable SendCallback callback) {
        StorageFormat.write(message, checksum, data);
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, count * 2);
            callbacks = Arrays.copyOf(callbacks, count * 2);
        }
        callbacks[count] = callback;
        ends[count++] = data.writerIndex();
        reserved += reservedBytes;
    }

    /** Makes the whole batch at least so safe. */
    void require(Durability wanted) {
        durability = durability == null ? wanted : durability.stronger(wanted);
    }

    /** What the most demanding of its messages asks for. */
    Durability durability() {
        return durability == null ? Durability.TOPIC : durability;
    }

    /** Messages without an outcome yet. */
    int count() {
        return count - first;
    }

    /** Bytes of the budget that this batch holds. */
    long reserved() {
        return reserved;
    }

    int bytes() {
        return data.writerIndex() - start(first);
    }

    /** What asks a broker to store the messages without an outcome. @param producerId 0 for a batch without a number */
    Request append(TopicPartition partition, long producerId, int opaque) {
        return new Request.Append(
                partition.topic(),
                partition.partition(),
                count(),
                content(),
                opaque,
                producerId,
                producerId == 0 ? Request.ABSENT : sequence,
                io.metaq.protocol.Durability.valueOf(durability().name()));
    }

    /** A 1.4 broker takes messages one by one, and keeps their order only if each waits for the answer to the one before. */
    Request put(TopicPartition partition, int opaque) {
        return new Request.Put(
                partition.topic(), partition.partition(), firstFlag(), firstChecksum(), null, firstBody(), opaque);
    }

    private int start(int index) {
        return index == 0 ? 0 : ends[index - 1];
    }

    /** The messages without an outcome; to be released by the receiver. */
    private ByteBuf content() {
        return data.retainedSlice(start(first), bytes());
    }

    /** The flag of the first message without an outcome. */
    private int firstFlag() {
        return data.getInt(start(first) + 16);
    }

    private int firstChecksum() {
        return data.getInt(start(first) + 4);
    }

    /** The body of the first message without an outcome; to be released by the receiver. */
    private ByteBuf firstBody() {
        int body = start(first) + StorageFormat.HEADER;
        return data.retainedSlice(body, ends[first] - body);
    }

    /** All messages are stored one behind the other, with ids that follow each other. */
    void stored(TopicPartition partition, long firstId, long firstOffset, BrokerAddress server) {
        int base = start(first);
        int from = first;
        for (int i = from; i < count; i++) {
            SendCallback callback = callbacks[i];
            if (callback != null) {
                tell(
                        callback,
                        new SendResult(partition, firstId + (i - from), firstOffset + start(i) - base, server),
                        null);
            }
        }
        finish();
    }

    /** The first message is stored. */
    void firstStored(SendResult result) {
        SendCallback callback = callbacks[first++];
        if (callback != null) {
            tell(callback, result, null);
        }
        if (first == count) {
            finish();
        }
    }

    /** The first message is refused for good. */
    void refuseFirst(MetaqException failure) {
        SendCallback callback = callbacks[first++];
        if (callback != null) {
            tell(callback, null, failure);
        }
        if (first == count) {
            finish();
        }
    }

    /** None of the messages without an outcome will get a good one. */
    void fail(MetaqException failure) {
        for (int i = first; i < count; i++) {
            SendCallback callback = callbacks[i];
            if (callback != null) {
                tell(callback, null, failure);
            }
        }
        finish();
    }

    /**
     * Takes out the messages without an outcome whose callbacks are these; not while the batch is under way. Their bytes of the budget
     * come back with those of the others; when no others are left the batch is done.
     *
     * @return the callbacks, untold
     */
    List<SendCallback> remove(Predicate<SendCallback> whose) {
        List<SendCallback> removed = new ArrayList<>();
        ByteBuf kept = data.alloc().directBuffer(Math.max(1, bytes()));
        int[] keptEnds = new int[ends.length];
        @Nullable SendCallback[] keptCallbacks = new SendCallback[callbacks.length];
        int keptCount = 0;
        for (int i = first; i < count; i++) {
            SendCallback callback = callbacks[i];
            if (callback != null && whose.test(callback)) {
                removed.add(callback);
            } else {
                kept.writeBytes(data, start(i), ends[i] - start(i));
                keptCallbacks[keptCount] = callback;
                keptEnds[keptCount++] = kept.writerIndex();
            }
        }
        data.release();
        data = kept;
        ends = keptEnds;
        callbacks = keptCallbacks;
        first = 0;
        count = keptCount;
        if (count == 0) {
            finish();
        }
        return removed;
    }

    boolean isDone() {
        return done.isDone();
    }

    private void finish() {
        first = count;
        data.release();
        done.complete(this);
    }

    private static void tell(SendCallback callback, @Nullable SendResult result, @Nullable MetaqException failure) {
        try {
            callback.completed(result, failure);
        } catch (RuntimeException e) {
            // One callback's mistake must not keep the others of the batch from being told.
            BatchingProducer.LOG.error("a send callback threw", e);
        }
    }
}
