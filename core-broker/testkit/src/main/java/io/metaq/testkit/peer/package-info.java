/**
 * A broker that says what a test wants it to say, for tests of clients. It has its own codec, written from {@code PROTOCOL.md} and
 * sharing nothing with {@code io.metaq.protocol}: a mistake made on both sides of one codec would go unseen.
 */
@NullMarked
package io.metaq.testkit.peer;

import org.jspecify.annotations.NullMarked;
