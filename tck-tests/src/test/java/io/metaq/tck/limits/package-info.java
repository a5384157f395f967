/** Bad input, limits, many topics, stopped processes, retention: what a broker meets that is neither crash nor fault. */
@NullMarked
package io.metaq.tck.limits;

import org.jspecify.annotations.NullMarked;
