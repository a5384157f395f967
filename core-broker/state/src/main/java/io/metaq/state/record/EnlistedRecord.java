package io.metaq.state.record;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The head of a record that adds messages and acknowledgements to a transaction, and may end its first phase in the same step.
 * The messages follow it, part after part, in their stored form.
 *
 * @param id number of the transaction that is meant; {@link #ANY} or {@link #BEGIN}
 * @param timeoutMs how long it may stay unprepared when this begins it; 0 = for ever
 * @param key how its coordinator calls it
 * @param owner whose it is, for people
 */
public record EnlistedRecord(long id, Then then, long timeoutMs, String key, String owner, TransactionRecord parts) {
    /** The transaction of this key; begun when there is none. */
    public static final long ANY = 0;

    /** A transaction of this key must not be there yet. */
    public static final long BEGIN = -1;

    private static final int FIXED_BYTES = 17;
    private static final int MOST_TEXT_BYTES = 0xFFFF;

    /** What happens once the parts are in the transaction. */
    public enum Then {
        NOTHING,
        PREPARE,
        /** Committed in one phase. */
        COMMIT,
        /** Prepared even where it holds nothing: it acknowledges on subscriptions that no record knows. */
        KEEP
    }

    public EnlistedRecord {
        if (key.isEmpty() || utf8(key).length > MOST_TEXT_BYTES || utf8(owner).length > MOST_TEXT_BYTES) {
            throw new IllegalArgumentException("a transaction's key has 1 to 65535 bytes, its owner at most as many");
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public ByteBuffer encode() {
        byte[] keyBytes = utf8(key);
        byte[] ownerBytes = utf8(owner);
        ByteBuffer body = parts.encode();
        ByteBuffer head =
                ByteBuffer.allocate(FIXED_BYTES + 2 + keyBytes.length + 2 + ownerBytes.length + body.remaining());
        head.putLong(id).put((byte) then.ordinal()).putLong(timeoutMs);
        head.putShort((short) keyBytes.length).put(keyBytes);
        head.putShort((short) ownerBytes.length).put(ownerBytes);
        return head.put(body).flip();
    }

    /**
     * Reads the head at the buffer's position and leaves the position at the first message.
     *
     * @throws IllegalArgumentException for a body that ends early or says what there is not
     */
    public static EnlistedRecord read(ByteBuffer from) {
        try {
            long id = from.getLong();
            int then = from.get();
            if (then < 0 || then >= Then.values().length) {
                throw new IllegalArgumentException("a transaction goes on in no way numbered " + then);
            }
            long timeoutMs = from.getLong();
            String key = text(from);
            return new EnlistedRecord(
                    id, Then.values()[then], timeoutMs, key, text(from), TransactionRecord.read(from));
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("parts of a transaction end early", e);
        }
    }

    private static String text(ByteBuffer from) {
        byte[] bytes = new byte[Short.toUnsignedInt(from.getShort())];
        from.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
