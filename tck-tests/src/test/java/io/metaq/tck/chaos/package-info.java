/**
 * Random use of a real broker through the JMS API while it is killed, started and stopped, and clients with it. Everything that was sent,
 * shown and acknowledged is kept here, outside the broker, and compared; see {@link io.metaq.tck.chaos.Account}.
 */
package io.metaq.tck.chaos;
