/**
 * The coordinator of the load generator: starts brokers and drivers as processes of their own, runs the same workloads
 * over them in turns, and prints medians and ratios as tables.
 */
@NullMarked
package io.metaq.benchmarks;

import org.jspecify.annotations.NullMarked;
