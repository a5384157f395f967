package io.metaq.state.dispatch;

import java.nio.ByteBuffer;

/**
 * A message that goes elsewhere: acknowledged here and appended there, in one step.
 *
 * @param from byte offset of the message in its partition
 * @param to offset after it
 * @param target name of the destination
 * @param message the copy to append, one whole stored message; its id is given by the broker
 * @param reason why, for the log
 */
public record Move(int partition, long from, long to, String target, ByteBuffer message, String reason) {}
