package io.metaq.protocol;

import io.netty.buffer.ByteBuf;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a client asks. {@link Put}, {@link Append}, {@link Sync}, {@link Transact} and {@link Enlist} carry a body that whoever receives
 * the request owns: it must be released exactly once, by {@link #release()} or by passing the buffer on.
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
     * @param number of the transaction that is meant, as {@code enlist} told it, or {@link #ABSENT}: another one of the same key is not
     */
    record Transaction(
            TransactionKey key,
            String session,
            Step step,
            int timeoutSeconds,
            @Nullable String uniqueQualifier,
            int opaque,
            long number)
            implements Request {
        /** As 1.4 sends it. */
        public Transaction(
                TransactionKey key,
                String session,
                Step step,
                int timeoutSeconds,
                @Nullable String uniqueQualifier,
                int opaque) {
            this(key, session, step, timeoutSeconds, uniqueQualifier, opaque, ABSENT);
        }

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
     * {@code topic}, {@code group}, {@code subscription} or {@code tx}.
     *
     * @param name a topic, a group, a subscription (decoded), a transaction's key, or a glob for the lists
     * @param options decoded values in the order given; every key is one that the operation takes
     */
    record Admin(AdminOperation operation, String name, int opaque, Map<String, String> options) implements Request {
        @Override
        public Verb verb() {
            return operation.family();
        }
    }

    /** Who the client is. The password is not in {@link #toString}, which ends in logs. */
    record Login(String user, String password, int opaque) implements Request {
        @Override
        public Verb verb() {
            return Verb.LOGIN;
        }

        @Override
        public String toString() {
            return "Login[user=" + user + ", opaque=" + opaque + "]";
        }
    }

    /** Claims a client id for the connection. */
    record ClientId(String id, int opaque) implements Request {
        @Override
        public Verb verb() {
            return Verb.CLIENT;
        }
    }

    /** The requests that concern one consumer of the connection. */
    sealed interface OfConsumer extends Request {
        /** Chosen by the client, unique in its connection. */
        int consumer();
    }

    /**
     * Attaches a consumer to a subscription, which is made if its kind allows.
     *
     * @param name the subscription's name
     * @param selector null for none
     * @param noLocal whether messages of the origin are left out
     * @param origin what messages of this client carry as their origin, or null
     */
    record Attach(
            int consumer,
            String name,
            String topic,
            AttachKind kind,
            @Nullable String selector,
            boolean noLocal,
            @Nullable String origin,
            int opaque)
            implements OfConsumer {
        @Override
        public Verb verb() {
            return Verb.ATTACH;
        }
    }

    /** Adds to what may be delivered. Never answered. */
    record Credit(int consumer, int messages, int bytes) implements OfConsumer {
        @Override
        public int opaque() {
            return NO_OPAQUE;
        }

        @Override
        public Verb verb() {
            return Verb.CREDIT;
        }
    }

    /** Delivers at most so many of the ready messages now, and takes back all credit. Answered behind the deliveries. */
    record Drain(int consumer, int messages, int opaque) implements OfConsumer {
        @Override
        public Verb verb() {
            return Verb.DRAIN;
        }
    }

    /**
     * Acknowledges leased messages.
     *
     * @param answered whether a reply is wanted; without, there is none whatever happens
     */
    record Ack(int consumer, Ranges ranges, int opaque, boolean answered) implements OfConsumer {
        @Override
        public Verb verb() {
            return Verb.ACK;
        }
    }

    /**
     * Says that the processing of leased messages failed.
     *
     * @param delayMs until they come again, or {@link #ABSENT} for the destination's policy
     * @param dead whether they go to the dead letters at once
     */
    record Reject(int consumer, Ranges ranges, int opaque, long delayMs, boolean dead) implements OfConsumer {
        @Override
        public Verb verb() {
            return Verb.REJECT;
        }
    }

    /** Gives back leased messages that nobody has seen. */
    record Release(int consumer, Ranges ranges, int opaque) implements OfConsumer {
        @Override
        public Verb verb() {
            return Verb.RELEASE;
        }
    }

    /**
     * Ends a consumer.
     *
     * @param delivered which of its leased messages were seen; the others count as never delivered
     */
    record Detach(int consumer, int opaque, Ranges delivered) implements OfConsumer {
        @Override
        public Verb verb() {
            return Verb.DETACH;
        }
    }

    /**
     * Messages and acknowledgements as one step; {@link TransactCursor} walks over them.
     *
     * @param producerId identity of the client, or {@link #NO_PRODUCER}
     * @param sequence number of the step within its producer id, or {@link #ABSENT}
     */
    record Transact(ByteBuf body, int opaque, long producerId, long sequence) implements WithBody {
        public boolean idempotent() {
            return sequence != ABSENT;
        }

        @Override
        public Verb verb() {
            return Verb.TRANSACT;
        }
    }

    /**
     * Adds messages and acknowledgements to a transaction, which is begun by that, and takes it further if asked: all in one step.
     * {@link TransactCursor} walks over the body.
     *
     * @param then how far the transaction goes with it
     * @param timeoutSeconds after which it is rolled back unless it is prepared; 0 for the broker's
     * @param begun whether the transaction must be there already: without, what was enlisted before and lost would go unnoticed
     * @param producerId identity of the client, or {@link #NO_PRODUCER}
     * @param sequence number of the step within its producer id, or {@link #ABSENT}
     */
    record Enlist(
            TransactionKey key,
            Then then,
            int timeoutSeconds,
            boolean begun,
            ByteBuf body,
            int opaque,
            long producerId,
            long sequence)
            implements WithBody {
        public boolean idempotent() {
            return sequence != ABSENT;
        }

        @Override
        public Verb verb() {
            return Verb.ENLIST;
        }

        /** How far a transaction goes. */
        public enum Then {
            /** More is to come. */
            NOTHING,
            PREPARE,
            COMMIT
        }
    }

    /**
     * A frame that was read whole, so the connection is fine, but that asks for something nobody offers: an unknown option or
     * operation. To be answered with exactly this; it was not carried out and there is nothing else to do.
     */
    record Rejected(Verb verb, Status status, String text, int opaque) implements Request {}
}
