/**
 * The broker, put together. {@link io.metaq.broker.Broker} starts and stops it; data goes from {@code net} through
 * {@code command} to {@code store} and, for reads, from the partition logs straight back to {@code net}.
 */
@NullMarked
package io.metaq.broker;

import org.jspecify.annotations.NullMarked;
