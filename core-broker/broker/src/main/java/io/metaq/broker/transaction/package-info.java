/** Transactions as the broker serves them: whose they are, when they are over, what the table of the state does not know. */
@NullMarked
package io.metaq.broker.transaction;

import org.jspecify.annotations.NullMarked;
