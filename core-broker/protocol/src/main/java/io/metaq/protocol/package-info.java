/**
 * What client and broker say to each other: requests, responses, status codes and the message format, as plain values. How they
 * are written as bytes is in {@code io.metaq.protocol.codec}. {@code PROTOCOL.md} is the contract that both follow.
 */
@NullMarked
package io.metaq.protocol;

import org.jspecify.annotations.NullMarked;
