package io.metaq.log.checkpoint;

import java.nio.ByteBuffer;

/**
 * The state at one journal position.
 *
 * @param position journal position of the first record that is not in the state
 * @param payload the state as it was written
 */
public record Checkpoint(long position, ByteBuffer payload) {}
