/**
 * Subscriptions: named cursors over a topic's partition logs, which make a log into a queue.
 *
 * <p>A {@link io.metaq.state.subscription.Subscription} is what a reader sees. The journalled ones are changed by
 * {@link io.metaq.state.subscription.Subscriptions} alone, on the journal's writer thread; the transient ones by whoever
 * made them.
 */
@NullMarked
package io.metaq.state.subscription;

import org.jspecify.annotations.NullMarked;
