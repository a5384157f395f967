/** Apache Kafka as a peer: its broker in KRaft mode, and a driver over its own client. */
@NullMarked
package io.metaq.benchmarks.peer.kafka;

import org.jspecify.annotations.NullMarked;
