package io.metaq.client;

/**
 * What a {@link BrokerSender} needs of its producer's settings.
 *
 * @param idempotent whether batches are numbered
 * @param maxInFlightPerPartition batches that are not full
 * @param keepsTogether whether senders who were told together are waited for, to send together again
 */
record SenderSettings(boolean idempotent, int maxInFlightPerPartition, boolean keepsTogether) {}
