/** JMH benchmarks of single parts, run by {@code benchmarks/run jmh}. They find what changed a part; the load generator tells what counts. */
@NullMarked
package io.metaq.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
