/**
 * What every driver process shares, whichever system it loads: jobs read from standard input, workloads, counting of
 * what arrived, and figures written to standard output.
 *
 * <p>Depends on the JDK and HdrHistogram alone, so that it stands on the class path of every peer without a conflict.
 */
@NullMarked
package io.metaq.benchmarks.driver;

import org.jspecify.annotations.NullMarked;
