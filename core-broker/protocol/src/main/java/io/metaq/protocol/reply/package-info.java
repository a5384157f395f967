/**
 * The texts of those {@code result}s that hold more than a sentence, as values that write and read themselves. Lines are separated
 * by CR LF, with none at the end; a reader passes over lines and trailing words that it does not know.
 */
@NullMarked
package io.metaq.protocol.reply;

import org.jspecify.annotations.NullMarked;
