/** Who is attached to which subscription: dispatches and the event loops that own them, the rules of attaching, owners. */
@NullMarked
package io.metaq.broker.subscription;

import org.jspecify.annotations.NullMarked;
