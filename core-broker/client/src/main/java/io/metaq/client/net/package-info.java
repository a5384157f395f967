/**
 * Connections: one {@link io.metaq.client.net.Link} per broker and purpose, which connects, negotiates, matches replies to requests by
 * their opaque, watches time limits, and reconnects. Knows nothing of topics, producers or consumers. All of a link's state belongs to
 * its event loop; replies and failures are told on that loop. A loop may leave its work to a thread that waits for an answer
 * ({@link io.metaq.client.net.CallerLoop}).
 */
@NullMarked
package io.metaq.client.net;

import org.jspecify.annotations.NullMarked;
