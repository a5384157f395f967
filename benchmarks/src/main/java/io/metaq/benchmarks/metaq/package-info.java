/** MetaQ as a peer: its broker, a driver over its client, and a driver of plain sockets that shows what the client costs. */
@NullMarked
package io.metaq.benchmarks.metaq;

import org.jspecify.annotations.NullMarked;
