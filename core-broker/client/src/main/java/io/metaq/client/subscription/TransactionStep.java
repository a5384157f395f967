package io.metaq.client.subscription;

/** What can be asked of a transaction that has all its parts. */
public enum TransactionStep {
    /** Answers whether it is ready, or needs nothing more since nothing is in it. */
    PREPARE,
    /** Commits what is not prepared. */
    COMMIT_ONE_PHASE,
    /** Commits what is prepared. */
    COMMIT_TWO_PHASE,
    ROLLBACK,
    /** Has the broker forget a transaction whose outcome an operator decided. */
    FORGET
}
