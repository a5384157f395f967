/** Everything that ends a JMS client, at every moment and in every state of the broker: it comes back, and nothing is left. */
@NullMarked
package io.metaq.tck.closing;

import org.jspecify.annotations.NullMarked;
