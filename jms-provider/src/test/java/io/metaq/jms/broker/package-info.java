/** A broker in the test's own process. */
@NullMarked
package io.metaq.jms.broker;

import org.jspecify.annotations.NullMarked;
