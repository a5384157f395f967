/** Queues and topics as objects: values that name a destination, portable between connections, JVMs and naming services. */
@NullMarked
package io.metaq.jms.destination;

import org.jspecify.annotations.NullMarked;
