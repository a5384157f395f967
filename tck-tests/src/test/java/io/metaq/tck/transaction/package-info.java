/** Transactions over a broker and a database, whose processes die at every step, and answers that get lost. */
@NullMarked
package io.metaq.tck.transaction;

import org.jspecify.annotations.NullMarked;
