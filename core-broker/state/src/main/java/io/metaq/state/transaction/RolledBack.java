package io.metaq.state.transaction;

import io.metaq.state.record.TransactionStep;

/**
 * A transaction that was rolled back without its coordinator asking for it, and may be asked for yet. As long as it is remembered
 * nothing else is begun under its key by accident: a coordinator that sends the second half learns that the first is gone.
 *
 * @param id number that it had
 * @param key how its coordinator calls it
 * @param cause why it was rolled back
 */
public record RolledBack(long id, String key, TransactionStep.Kind cause) {
    /** What every later step of it leads to. */
    TransactionOutcome outcome() {
        return whenItEnded().asBefore();
    }

    private TransactionOutcome whenItEnded() {
        return switch (cause) {
            case TIME_OUT ->
                TransactionOutcome.of(
                        TransactionOutcome.Code.TIMED_OUT, id, "the transaction took too long and was rolled back");
            case DISCONNECT -> because("its connection was lost");
            case RESTART -> because("the broker was started again before it was prepared");
            case ABANDON -> because("an operator decided so");
            default -> because("it could not be prepared");
        };
    }

    private TransactionOutcome because(String why) {
        return TransactionOutcome.of(
                TransactionOutcome.Code.ROLLED_BACK, id, "the transaction was rolled back: " + why);
    }
}
