/** The journal: the one ordered, durable list of every change a broker makes. */
@NullMarked
package io.metaq.log.journal;

import org.jspecify.annotations.NullMarked;
