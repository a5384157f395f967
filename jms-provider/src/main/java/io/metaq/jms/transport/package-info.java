/** What the objects of one JMS connection share: the client below, the destinations it knows, ids. */
@NullMarked
package io.metaq.jms.transport;

import org.jspecify.annotations.NullMarked;
