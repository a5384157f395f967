/** ActiveMQ Artemis as a peer: its broker, embedded in a process of its own, and a driver over its own client. */
@NullMarked
package io.metaq.benchmarks.peer.artemis;

import org.jspecify.annotations.NullMarked;
