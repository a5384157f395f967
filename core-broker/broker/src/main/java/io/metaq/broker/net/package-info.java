/** Connections: the netty pipeline, one session per connection, replies in batches, back-pressure. */
@NullMarked
package io.metaq.broker.net;

import org.jspecify.annotations.NullMarked;
