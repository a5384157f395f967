package io.metaq.state.record;

import java.nio.ByteBuffer;

/**
 * A step of a transaction that adds nothing to it.
 *
 * @param id number of the transaction: one that has ended meanwhile is never mistaken for the next of its key
 * @param timestampMs when the broker took it, milliseconds since the epoch
 */
public record TransactionStep(Kind kind, long id, long timestampMs) {
    private static final int BYTES = 17;

    /** What happens, with the type of its record and the detail in that. */
    public enum Kind {
        PREPARE(RecordType.TRANSACTION_PREPARED, 0),
        /** The same, even where it holds nothing: it acknowledges on subscriptions that no record knows. */
        KEEP(RecordType.TRANSACTION_PREPARED, 1),
        /** After it was prepared. */
        COMMIT(RecordType.TRANSACTION_COMMITTED, 0),
        /** Without that. */
        COMMIT_ONE_PHASE(RecordType.TRANSACTION_COMMITTED, 1),
        /** Its coordinator asks for it. */
        ROLL_BACK(RecordType.TRANSACTION_ROLLED_BACK, 0),
        /** It took too long. These and the following are for unprepared ones only. */
        TIME_OUT(RecordType.TRANSACTION_ROLLED_BACK, 1),
        /** The connection that it belongs to is gone. */
        DISCONNECT(RecordType.TRANSACTION_ROLLED_BACK, 2),
        /** The broker was started again. */
        RESTART(RecordType.TRANSACTION_ROLLED_BACK, 3),
        /** An operator has no patience with an unprepared one. */
        ABANDON(RecordType.TRANSACTION_ROLLED_BACK, 4),
        /** An operator commits a prepared one. */
        RESOLVE_COMMIT(RecordType.TRANSACTION_RESOLVED, 1),
        /** An operator rolls back a prepared one. */
        RESOLVE_ROLLBACK(RecordType.TRANSACTION_RESOLVED, 0),
        /** What an operator decided has been taken note of. */
        FORGET(RecordType.TRANSACTION_FORGOTTEN, 0);

        private final byte type;
        private final int detail;

        Kind(byte type, int detail) {
            this.type = type;
            this.detail = detail;
        }

        /** The record's type byte. */
        public byte type() {
            return type;
        }

        private static Kind of(byte type, int detail) {
            for (Kind kind : values()) {
                if (kind.type == type && kind.detail == detail) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("no step of a transaction has type " + type + " and detail " + detail);
        }
    }

    public ByteBuffer encode() {
        return ByteBuffer.allocate(BYTES)
                .putLong(id)
                .putLong(timestampMs)
                .put((byte) kind.detail)
                .flip();
    }

    /** @throws IllegalArgumentException for a body that is none */
    public static TransactionStep decode(byte type, ByteBuffer body) {
        if (body.remaining() != BYTES) {
            throw new IllegalArgumentException("a step of a transaction has " + BYTES + " bytes");
        }
        ByteBuffer from = body.duplicate();
        long id = from.getLong();
        long timestampMs = from.getLong();
        return new TransactionStep(Kind.of(type, from.get()), id, timestampMs);
    }
}
