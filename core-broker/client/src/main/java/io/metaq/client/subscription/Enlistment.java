package io.metaq.client.subscription;

import io.metaq.protocol.TransactionKey;

/**
 * A step that adds to a transaction, which is begun by the first.
 *
 * @param key names the transaction in the whole broker
 * @param parts what is added; may be empty
 * @param then how far the transaction goes with it
 * @param timeoutSeconds after which the broker rolls back what is not prepared; 0 for the broker's own
 * @param begun whether something was enlisted before. If the broker has lost that (it rolls back what is not prepared when the
 *     connection ends), the step fails with {@link #NOTA} instead of beginning a transaction with half of what belongs in it.
 */
public record Enlistment(TransactionKey key, TransactionParts parts, Then then, int timeoutSeconds, boolean begun) {
    /** The result of a step that prepared. */
    public static final int PREPARED = 0;

    /** The result of a step that prepared and found nothing to do: the transaction is over. */
    public static final int READ_ONLY = 3;

    /** The {@code xaCode()} of a failure: the broker knows no such transaction. */
    public static final int NOTA = -4;

    /** How far a transaction goes. */
    public enum Then {
        /** More is to come. */
        NOTHING,
        PREPARE,
        COMMIT
    }
}
