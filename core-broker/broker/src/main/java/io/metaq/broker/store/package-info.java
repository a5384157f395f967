/** The durable half of a broker: journal, state and checkpoints, opened, recovered and closed together. */
@NullMarked
package io.metaq.broker.store;

import org.jspecify.annotations.NullMarked;
