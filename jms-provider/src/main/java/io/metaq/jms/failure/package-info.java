/** From the client's failures to the exceptions of JMS, and from those to their runtime twins. */
@NullMarked
package io.metaq.jms.failure;

import org.jspecify.annotations.NullMarked;
