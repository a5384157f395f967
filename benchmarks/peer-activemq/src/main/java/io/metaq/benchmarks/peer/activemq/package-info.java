/** ActiveMQ Classic as a peer: its broker, embedded in a process of its own, and a driver over its own client. */
@NullMarked
package io.metaq.benchmarks.peer.activemq;

import org.jspecify.annotations.NullMarked;
