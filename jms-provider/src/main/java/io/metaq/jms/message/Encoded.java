package io.metaq.jms.message;

/**
 * A message as it is stored.
 *
 * @param flag as of {@link io.metaq.message.MessageFlags}
 * @param body property block and payload
 */
public record Encoded(int flag, byte[] body) {}
