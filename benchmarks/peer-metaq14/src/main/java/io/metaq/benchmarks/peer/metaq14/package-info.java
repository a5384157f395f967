/** The original MetaQ 1.4 as a peer: its broker with an embedded ZooKeeper, and a driver over its own client. */
@NullMarked
package io.metaq.benchmarks.peer.metaq14;

import org.jspecify.annotations.NullMarked;
