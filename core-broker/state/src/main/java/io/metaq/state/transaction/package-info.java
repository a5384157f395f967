/**
 * Transactions that take more than one record: begun, filled, prepared, and ended by whoever coordinates them. What they hold is
 * seen by nobody until they commit, and then all of it at once.
 *
 * <p>{@link io.metaq.state.transaction.TransactionTable} is changed by records alone, on the journal's writer thread, and
 * read by any. It has no clock: who watches over timeouts proposes what they lead to.
 */
@NullMarked
package io.metaq.state.transaction;

import org.jspecify.annotations.NullMarked;
