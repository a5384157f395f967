/** Bytes to values and back, as netty handlers without threads or sockets of their own. */
@NullMarked
package io.metaq.protocol.codec;

import org.jspecify.annotations.NullMarked;
