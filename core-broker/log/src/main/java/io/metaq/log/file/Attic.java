package io.metaq.log.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The directory where bytes go that are taken out of service. Nothing is cut or erased before its copy here is durable. */
public final class Attic {

    private static final int CHUNK_BYTES = 1 << 16;

    private final Storage storage;
    private final Path directory;

    public Attic(Storage storage, Path directory) {
        this.storage = storage;
        this.directory = directory;
    }

    /**
     * Copies a range of a file; durable on return.
     *
     * @return the copy, named after the file and the position in it
     */
    public Path copy(Path file, long from, long to) throws IOException {
        storage.createDirectories(directory);
        Path copy = unused(file.getFileName() + "." + from + "-" + to);
        try (StorageFile in = storage.open(file, StandardOpenOption.READ);
                StorageFile out = storage.open(copy, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer buffer = ByteBuffer.allocate(CHUNK_BYTES);
            for (long at = from; at < to; ) {
                buffer.clear().limit((int) Math.min(CHUNK_BYTES, to - at));
                if (in.read(buffer, at) <= 0) {
                    break; // the file ends before the range does
                }
                at += buffer.flip().remaining();
                out.write(buffer, at - from - buffer.remaining());
            }
            out.sync();
        }
        storage.syncDirectory(directory);
        return copy;
    }

    /** Moves a whole file; durable on return, but for its removal from where it was. */
    public Path move(Path file) throws IOException {
        storage.createDirectories(directory);
        Path to = unused(String.valueOf(file.getFileName()));
        storage.rename(file, to);
        storage.syncDirectory(directory);
        return to;
    }

    private Path unused(String name) {
        Path path = directory.resolve(name);
        for (int i = 1; storage.exists(path); i++) {
            path = directory.resolve(name + "." + i);
        }
        return path;
    }
}
