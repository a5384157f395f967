/**
 * The native Java client. Start at {@link io.metaq.client.MetaqClient}: it hands out producers, consumers, pullers, browsers and
 * the administration calls. Everything public here is API; what talks to sockets is package-private or in {@code net}.
 *
 * <p>{@link io.metaq.client.ClusterProvider}, {@link io.metaq.client.RouteSource}, {@link io.metaq.client.GroupMembership} and
 * {@link io.metaq.client.OffsetStore} are the seams behind which ZooKeeper and databases stay: their classes load only when used.
 */
@NullMarked
package io.metaq.client;

import org.jspecify.annotations.NullMarked;
