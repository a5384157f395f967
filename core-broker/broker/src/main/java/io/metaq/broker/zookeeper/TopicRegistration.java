package io.metaq.broker.zookeeper;

/**
 * A topic as it shall be visible to clients.
 *
 * @param partitions number of partitions, numbered from 0
 * @param acceptPublish producers find the topic here
 * @param acceptSubscribe consumers find the topic here
 */
public record TopicRegistration(String name, int partitions, boolean acceptPublish, boolean acceptSubscribe) {}
