package io.metaq.tck.transaction;

/** Where a transaction over two resources can be stopped, in the order in which it comes there. */
enum Point {
    /** The work is done, and nothing was said to the coordinator. */
    WORKED,
    BEFORE_PREPARE_1,
    AFTER_PREPARE_1,
    BEFORE_PREPARE_2,
    AFTER_PREPARE_2,
    /** The coordinator has written its log: from here on the transaction is committed. */
    BEFORE_COMMIT_1,
    AFTER_COMMIT_1,
    BEFORE_COMMIT_2,
    AFTER_COMMIT_2,
    /** The application knows that it is committed. */
    COMMITTED;

    boolean decided() {
        return compareTo(BEFORE_COMMIT_1) >= 0;
    }
}
