package io.metaq.jms.transport;

import io.metaq.jms.destination.MetaQDestination;

/**
 * A message as it leaves: what the application does to its message object afterwards changes nothing here.
 *
 * @param partition of the destination
 * @param flag what the data begins with
 * @param data property block and payload
 * @param persistent whether it has to be on the disk before it counts as sent
 */
public record Outgoing(MetaQDestination destination, int partition, int flag, byte[] data, boolean persistent) {}
