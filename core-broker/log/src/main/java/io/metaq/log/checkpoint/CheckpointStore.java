package io.metaq.log.checkpoint;

import io.metaq.log.file.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/** The newest checkpoints of a broker. */
public final class CheckpointStore {

    public CheckpointStore(Path directory, Storage storage) {}

    /** The newest one that is whole. */
    public Optional<Checkpoint> readNewest() throws IOException {
        throw new UnsupportedOperationException();
    }

    /**
     * Writes a checkpoint and keeps the one before it.
     *
     * @return the journal position of the oldest checkpoint kept: the journal may be recycled before it
     */
    public long write(long position, ByteBuffer... payload) throws IOException {
        throw new UnsupportedOperationException();
    }
}
