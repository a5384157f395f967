/**
 * What a message is beyond its bytes: its property block, the bodies that Jakarta Messaging knows, and selectors over the
 * properties. The JDK only: brokers, clients and tools read messages by the same code.
 */
@NullMarked
package io.metaq.message;

import org.jspecify.annotations.NullMarked;
