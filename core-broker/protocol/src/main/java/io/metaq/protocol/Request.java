package io.metaq.protocol;

import io.netty.buffer.ByteBuf;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a client asks. {@link Put}, {@link Append} and {@link Sync} carry a body that whoever receives the request owns: it must be
 * released exactly once, by {@link #release()} or by passing the buffer on.
 */
public sealed interface Request {
    /** The opaque of {@code version}, {@code stats} and {@code quit} when the client gave none. */
    int NO_OPAQUE = Integer.MAX_VALUE;

    /** The checksum of a put that asks for no verification. */
    int NO_CHECKSUM = -1;

    /** The partition of a put or append that leaves the choice to the broker. */
    int ANY_PARTITION = -1;

    /** Stands for an option that was not given, where the option is a number that is never negative. */
    int ABSENT = -1;

    /** The producer id of an append without one. */
    long NO_PRODUCER = 0;

    /** Echoed in the reply; replies may come in another order than requests. */
    int opaque();

    /** The first word of the request. */
    Verb verb();

    /** Gives the body back, if there is one. */
    default void release() {}

    /** The requests with a body. */
    sealed interface WithBody extends Request {
        ByteBuf body();

        @Override
        default void release() {
            body().release();
        }
    }

    /**
     * One message. The body is as it will be stored: with flag bit 0 set it starts with the attribute.
     *
     * @param checksum CRC-32 of the body without its top bit, or {@link #NO_CHECKSUM}
     * @param transactionKey the token as sent, or null outside a transaction
     */
    record Put(
            String topic,
            int partition,
            int flag,
            int checksum,
            @Nullable String transactionKey,
            ByteBuf body,
            int opaque)
            implements WithBody {
        @Override
        public Verb verb() {
            return Verb.PUT;
        }
    }

    /**
     * A batch of whole messages in storage format. Ids in it are ignored; a checksum of -1 is filled in by the broker.
     *
     * @param count number of messages in the body
     * @param producerId identity of an idempotent producer, or {@link #NO_PRODUCER}
     * @param sequence number of the batch's first message within its producer, or {@link #ABSENT}
     */
    record Append(
            String topic,
            int partition,
            int count,
            ByteBuf body,
            int opaque,
            long producerId,
            long sequence,
            Durability durability)
            implements WithBody {
        public boolean idempotent() {
            return sequence != ABSENT;
        }

        @Override
        public Verb verb() {
            return Verb.APPEND;
        }
    }

    /**
     * A slice of a partition.
     *
     * @param offset byte position; any int64
     * @param maxSize bytes; what is not positive is answered by 400
     * @param waitMs how long to hold the request at the end of the partition, or {@link #ABSENT}
     * @param minBytes do not answer early with less than this, or {@link #ABSENT}
     */
    record Get(
            String topic, String group, int partition, long offset, int maxSize, int opaque, int waitMs, int minBytes)
            implements Request {
        @Override
        public Verb verb() {
            return Verb.GET;
        }
    }

    /**
     * A place to read from. With neither {@code timeMs} nor {@code at} it is 1.4's question: the start of the segment that holds
     * {@code offset}.
     *
     * @param timeMs the first message stored at or after this epoch time, or {@link #ABSENT}
     */
    record Offset(
            String topic,
            String group,
            int partition,
            long offset,
            int opaque,
            long timeMs,
            @Nullable Edge at) implements Request {
        @Override
        public Verb verb() {
            return Verb.OFFSET;
        }
    }

    /** An end of a partition. */
    enum Edge {
        FIRST,
        LAST
    }

    /** Figures of the broker. A null item asks for the broker's own. */
    record Stats(@Nullable String item, int opaque) implements Request {
        @Override
        public Verb verb() {
            return Verb.STATS;
        }
    }

    /**
     * The heartbeat, and the negotiation.
     *
     * @param protocol the highest protocol the client speaks, or null for a client that does not negotiate
     * @param client free text that names the client in logs
     */
    record Version(
            int opaque,
            @Nullable Integer protocol,
            @Nullable String client) implements Request {
        @Override
        public Verb verb() {
            return Verb.VERSION;
        }
    }

    /** Close the connection, after the replies that are under way. */
    record Quit(int opaque) implements Request {
        @Override
        public Verb verb() {
            return Verb.QUIT;
        }
    }

    /**
     * A step of a transaction.
     *
     * @param timeoutSeconds 0 when not given
     */
    record Transaction(
            TransactionKey key,
            String session,
            Step step,
            int timeoutSeconds,
            @Nullable String uniqueQualifier,
            int opaque)
            implements Request {
        @Override
        public Verb verb() {
            return Verb.TRANSACTION;
        }

        /** Spelled on the wire as here. {@link #END} is never answered. */
        public enum Step {
            BEGIN,
            PREPARE,
            COMMIT_ONE_PHASE,
            COMMIT_TWO_PHASE,
            ROLLBACK,
            RECOVER,
            FORGET,
            END
        }
    }

    /** What a 1.4 master sends to its slave. Parsed so that it can be refused without losing the connection. */
    record Sync(String topic, int partition, int flag, long messageId, int checksum, ByteBuf body, int opaque)
            implements WithBody {
        @Override
        public Verb verb() {
            return Verb.SYNC;
        }
    }

    /**
     * {@code topic} or {@code group}.
     *
     * @param name a topic, a group, or a glob for the lists
     * @param options decoded values in the order given; every key is one that the operation takes
     */
    record Admin(AdminOperation operation, String name, int opaque, Map<String, String> options) implements Request {
        @Override
        public Verb verb() {
            return operation.family();
        }
    }

    /**
     * A frame that was read whole, so the connection is fine, but that asks for something nobody offers: an unknown option or
     * operation. To be answered with exactly this; it was not carried out and there is nothing else to do.
     */
    record Rejected(Verb verb, Status status, String text, int opaque) implements Request {}
}
