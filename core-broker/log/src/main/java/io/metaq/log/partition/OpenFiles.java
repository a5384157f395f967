package io.metaq.log.partition;

import io.metaq.log.file.Storage;
import java.io.IOException;

/** The open segment files of all partitions of a broker, at most so many at a time. */
public final class OpenFiles implements AutoCloseable {

    public static final int DEFAULT_LIMIT = 2_000;

    public OpenFiles(Storage storage, int limit) {}

    /** Number of files open now. */
    public int open() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() throws IOException {
        throw new UnsupportedOperationException();
    }
}
