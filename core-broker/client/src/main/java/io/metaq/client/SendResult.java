package io.metaq.client;

/**
 * Where a message was stored.
 *
 * @param partition the partition that took it
 * @param messageId the id the broker gave it
 * @param offset byte position of the message in the partition
 * @param server address of the broker
 */
public record SendResult(TopicPartition partition, long messageId, long offset, BrokerAddress server) {}
