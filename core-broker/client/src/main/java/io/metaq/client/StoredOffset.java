package io.metaq.client;

/**
 * How far a group has read a partition.
 *
 * @param offset byte position of the next message to read
 * @param messageId id of the last message that was done, -1 if unknown
 */
public record StoredOffset(long offset, long messageId) {}
