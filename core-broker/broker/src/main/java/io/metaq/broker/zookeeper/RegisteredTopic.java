package io.metaq.broker.zookeeper;

/**
 * A topic at another broker.
 *
 * @param broker the broker's id
 * @param address its {@code host:port} as it registered it
 */
public record RegisteredTopic(int broker, String address, TopicRegistration topic) {}
