/** Jakarta Messaging 3.1 over the MetaQ client: connection factories, connections, sessions, destinations, messages. */
@NullMarked
package io.metaq.jms;

import org.jspecify.annotations.NullMarked;
