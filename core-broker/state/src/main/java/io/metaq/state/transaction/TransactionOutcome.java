package io.metaq.state.transaction;

import io.metaq.state.Outcome;
import io.metaq.state.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * What became of a step of a transaction once it was applied.
 *
 * @param id number of the transaction; 0 when there is none
 * @param reason why nothing could be done, where that has to do with a topic or subscription; null otherwise
 * @param text for people; empty when all went as asked
 * @param before whether it had been so before this step, which changed nothing: a resend, or a step of what is over
 */
public record TransactionOutcome(
        Code code, long id, @Nullable Refusal reason, String text, boolean before) {

    /** What a coordinator of transactions has to know, by the codes of X/Open. */
    public enum Code {
        /** Parts were added, or the transaction was committed, rolled back or forgotten, as asked. */
        DONE(0),
        /** It is prepared: everything it holds is durable, and it can be committed whatever happens. */
        PREPARED(0),
        /** It held nothing when it was to be prepared, and is gone: there is nothing to commit. */
        READ_ONLY(3),
        /** It has been rolled back instead of what was asked. */
        ROLLED_BACK(100),
        /** The same, because it took too long. */
        TIMED_OUT(106),
        /** An operator has committed it; to be forgotten. */
        HEURISTICALLY_COMMITTED(7),
        /** An operator has rolled it back; to be forgotten. */
        HEURISTICALLY_ROLLED_BACK(6),
        /** The parts cannot be taken; the transaction is as it was. */
        REFUSED(-3),
        /** There is no such transaction (any more). */
        UNKNOWN(-4),
        /** The step does not fit the transaction's phase; nothing was done. */
        OUT_OF_ORDER(-6),
        /** There is one of this key already. */
        DUPLICATE(-8);

        private final int xaCode;

        Code(int xaCode) {
            this.xaCode = xaCode;
        }

        /** The code of X/Open: 0 or positive as {@code xa_prepare} and others return it, negative for an error. */
        public int xaCode() {
            return xaCode;
        }
    }

    /** Whether what was asked is in effect. */
    public boolean done() {
        return code == Code.DONE || code == Code.PREPARED || code == Code.READ_ONLY;
    }

    static TransactionOutcome of(Code code, long id) {
        return new TransactionOutcome(code, id, null, "", false);
    }

    static TransactionOutcome of(Code code, long id, String text) {
        return new TransactionOutcome(code, id, null, text, false);
    }

    static TransactionOutcome of(Code code, long id, Outcome outcome) {
        return outcome instanceof Outcome.Refused refused
                ? new TransactionOutcome(code, id, refused.reason(), refused.text(), false)
                : of(code, id);
    }

    TransactionOutcome asBefore() {
        return new TransactionOutcome(code, id, reason, text, true);
    }

    static TransactionOutcome unknown(long id) {
        return of(Code.UNKNOWN, id, "there is no such transaction");
    }
}
