package io.metaq.client;

/**
 * What a {@link BrokerSender} needs of its producer's settings.
 *
 * @param idempotent whether batches are numbered
 * @param producerId whose numbers these are; not 0
 * @param maxInFlightPerPartition batches that are not full
 */
record SenderSettings(boolean idempotent, long producerId, int maxInFlightPerPartition) {}
