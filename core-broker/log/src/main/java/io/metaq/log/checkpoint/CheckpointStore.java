package io.metaq.log.checkpoint;

import io.metaq.log.file.Storage;
import io.metaq.log.file.StorageFile;
import io.metaq.log.file.StorageFullException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The newest checkpoints of a broker, one file each: {@code <journal position>.checkpoint}. A file is complete before it
 * has that name, and the one before it stays until the next is durable, so that one bad block costs no more than a longer
 * replay.
 */
public final class CheckpointStore {

    static final int HEADER_BYTES = 32;
    static final int VERSION = 1;

    private static final Logger LOG = System.getLogger(CheckpointStore.class.getName());
    private static final long MAGIC = 0x4D45544151434B50L; // "METAQCKP"
    private static final String SUFFIX = ".checkpoint";
    private static final String TEMPORARY_SUFFIX = ".new";
    private static final int KEPT = 2;

    private final Path directory;
    private final Storage storage;

    public CheckpointStore(Path directory, Storage storage) {
        this.directory = directory;
        this.storage = storage;
    }

    /** The newest one that is whole; one that is not is named in the log and left where it is. */
    public Optional<Checkpoint> readNewest() throws IOException {
        List<Path> newestFirst = new ArrayList<>(files());
        Collections.reverse(newestFirst);
        for (Path file : newestFirst) {
            Checkpoint checkpoint = read(file);
            if (checkpoint != null) {
                return Optional.of(checkpoint);
            }
            LOG.log(Level.ERROR, "{0} is damaged, going back to the checkpoint before it", file);
        }
        return Optional.empty();
    }

    /** True when there is any checkpoint file, whole or not. */
    public boolean exists() throws IOException {
        return !files().isEmpty();
    }

    /**
     * Writes a checkpoint; durable on return. The one before it is kept, older ones are deleted.
     *
     * @param position journal position of the first record that is not in it
     * @param payload the state; its buffers are consumed
     * @return journal position of the oldest checkpoint kept: the journal may be recycled before it
     */
    public long write(long position, ByteBuffer... payload) throws IOException {
        storage.createDirectories(directory);
        Path file = directory.resolve(String.format("%020d%s", position, SUFFIX));
        Path temporary = directory.resolve(file.getFileName() + TEMPORARY_SUFFIX);
        try (StorageFile out = storage.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            out.write(header(position, payload), 0);
            out.write(payload, payload.length, HEADER_BYTES);
            out.sync();
        } catch (StorageFullException e) {
            storage.delete(temporary); // half a checkpoint must not hold the room that others need
            throw e;
        }
        storage.rename(temporary, file);
        storage.syncDirectory(directory);
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null) {
            storage.syncDirectory(parent);
        }
        return deleteOlder();
    }

    private long deleteOlder() throws IOException {
        List<Path> files = files();
        int oldestKept = Math.max(0, files.size() - KEPT);
        for (Path old : files.subList(0, oldestKept)) {
            storage.delete(old);
        }
        return positionOf(files.get(oldestKept));
    }

    private List<Path> files() throws IOException {
        return storage.list(directory).stream()
                .filter(path -> String.valueOf(path.getFileName()).matches("[0-9]{20}\\.checkpoint"))
                .toList();
    }

    private static long positionOf(Path file) {
        return Long.parseLong(String.valueOf(file.getFileName()).substring(0, 20));
    }

    private static ByteBuffer header(long position, ByteBuffer[] payload) {
        CRC32C crc = new CRC32C();
        long length = 0;
        for (ByteBuffer part : payload) {
            length += part.remaining();
        }
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
        header.putLong(MAGIC).putInt(VERSION).putInt(0).putLong(position).putLong(length);
        crc.update(header.array(), 16, HEADER_BYTES - 16);
        for (ByteBuffer part : payload) {
            crc.update(part.duplicate());
        }
        return header.putInt(12, (int) crc.getValue()).flip();
    }

    /** Null when the file is not a whole checkpoint. */
    private @Nullable Checkpoint read(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) storage.size(file));
        try (StorageFile in = storage.open(file, StandardOpenOption.READ)) {
            in.readFully(bytes, 0);
        }
        bytes.flip();
        if (bytes.limit() < HEADER_BYTES
                || bytes.getLong(0) != MAGIC
                || bytes.getInt(8) != VERSION
                || bytes.getLong(24) != bytes.limit() - HEADER_BYTES) {
            return null;
        }
        CRC32C crc = new CRC32C();
        crc.update(bytes.array(), 16, bytes.limit() - 16);
        if ((int) crc.getValue() != bytes.getInt(12) || bytes.getLong(16) != positionOf(file)) {
            return null;
        }
        ByteBuffer payload = bytes.slice(HEADER_BYTES, bytes.limit() - HEADER_BYTES);
        return new Checkpoint(bytes.getLong(16), payload);
    }
}
