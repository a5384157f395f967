/**
 * Subscriptions as messaging APIs need them: the broker keeps what is acknowledged, and delivers by credit. Start at
 * {@link io.metaq.client.subscription.SubscriberLink}, which {@code MetaqClient.subscriber} makes.
 *
 * <p>All failures are {@code MetaqException}s (of the package above, which this one does not know, so that there is no cycle): futures
 * fail with them, and listeners are given them as the {@code RuntimeException}s that they are.
 */
@NullMarked
package io.metaq.client.subscription;

import org.jspecify.annotations.NullMarked;
