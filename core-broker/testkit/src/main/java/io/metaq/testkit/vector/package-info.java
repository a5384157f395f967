/**
 * The byte vectors of the protocol: reading them, and playing them against a live broker over a plain socket. Knows nothing of the
 * Java codec, so that the two cannot be wrong together.
 */
@NullMarked
package io.metaq.testkit.vector;

import org.jspecify.annotations.NullMarked;
