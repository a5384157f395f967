/** Checkpoints: the state at one journal position, written whole. */
@NullMarked
package io.metaq.log.checkpoint;

import org.jspecify.annotations.NullMarked;
