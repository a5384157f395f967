/** What the machine itself can do: the bounds that brokers are held against. */
@NullMarked
package io.metaq.benchmarks.reference;

import org.jspecify.annotations.NullMarked;
