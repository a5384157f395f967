/**
 * What a broker knows: topics, partitions, consumer groups and producers, as a deterministic function of its journal.
 *
 * <p>{@link io.metaq.state.BrokerState} is the only door. Its state is changed by applying records, on the journal's
 * writer thread, and by nothing else; any thread may read.
 */
@NullMarked
package io.metaq.state;

import org.jspecify.annotations.NullMarked;
