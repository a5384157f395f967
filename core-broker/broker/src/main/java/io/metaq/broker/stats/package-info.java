/** Counters, and the report that the stats command gives of them. */
@NullMarked
package io.metaq.broker.stats;

import org.jspecify.annotations.NullMarked;
