/**
 * The XAResource: which calls are right in which state, and what each of them asks of the broker. A session that takes part gives its work
 * by {@link io.metaq.xa.Contribution}; the broker is behind {@link io.metaq.xa.ResourceManager}.
 */
@NullMarked
package io.metaq.xa;

import org.jspecify.annotations.NullMarked;
