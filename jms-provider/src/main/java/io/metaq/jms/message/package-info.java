/** The messages of Jakarta Messaging: their headers, properties and bodies, and how they become bytes and come back. */
@NullMarked
package io.metaq.jms.message;

import org.jspecify.annotations.NullMarked;
