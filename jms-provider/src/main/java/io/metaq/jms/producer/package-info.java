/** Sending: producers, the headers they set, asynchronous sends and their callbacks. */
@NullMarked
package io.metaq.jms.producer;

import org.jspecify.annotations.NullMarked;
