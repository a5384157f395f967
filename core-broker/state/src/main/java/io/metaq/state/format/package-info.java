/** Numbers as they stand in records and checkpoints. */
@NullMarked
package io.metaq.state.format;

import org.jspecify.annotations.NullMarked;
