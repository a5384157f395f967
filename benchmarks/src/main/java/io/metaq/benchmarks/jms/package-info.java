/**
 * Load through the plain Jakarta Messaging API: the same code for every provider, which is only a {@link
 * jakarta.jms.ConnectionFactory}.
 *
 * <p>Depends on the JDK, the Jakarta Messaging API and {@code driver}, so that it stands on the class path of every provider.
 */
@NullMarked
package io.metaq.benchmarks.jms;

import org.jspecify.annotations.NullMarked;
