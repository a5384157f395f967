/**
 * Drivers for the original MetaQ 1.4.6.2: its client, its broker and the ZooKeeper of its time, each a main of its own.
 *
 * <p>A driver reads requests from standard input, one a line: {@code NUMBER VERB ARGUMENT...}, and answers on standard
 * output with {@code NUMBER ok VALUE...} or {@code NUMBER error TEXT}. What happens by itself is told by lines that start
 * with {@code *}. Arguments and values are percent-encoded; {@code ~} stands for null. The end of standard input ends the
 * process, so that none outlives the test that started it.
 */
@NullMarked
package io.metaq.tck.metaq14;

import org.jspecify.annotations.NullMarked;
