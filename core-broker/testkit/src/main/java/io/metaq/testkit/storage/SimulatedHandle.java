package io.metaq.testkit.storage;

import io.metaq.log.file.StorageFile;
import io.metaq.log.file.StorageFullException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** An open file of a {@link SimulatedStorage}. */
final class SimulatedHandle implements StorageFile {

    private final SimulatedStorage storage;
    private final Path path;
    private final SimulatedFile file;
    private boolean closed;

    SimulatedHandle(SimulatedStorage storage, Path path, SimulatedFile file) {
        this.storage = storage;
        this.path = path;
        this.file = file;
    }

    @Override
    public long write(ByteBuffer[] buffers, int count, long position) throws IOException {
        long at = position;
        for (int i = 0; i < count; i++) {
            at += write(buffers[i], at);
        }
        return at - position;
    }

    @Override
    public long write(ByteBuffer buffer, long position) throws IOException {
        synchronized (storage) {
            checkOpen();
            IOException fault = storage.faults().beforeWrite(path);
            int wanted = buffer.remaining();
            long room = storage.usableSpace(path) + Math.max(0, file.size() - position);
            int written = (int) Math.min(fault == null ? wanted : wanted / 2, Math.max(0, room));
            int limit = buffer.limit();
            file.write(buffer.limit(buffer.position() + written), position);
            buffer.limit(limit);
            if (fault != null) {
                throw fault;
            }
            if (written < wanted) {
                throw new StorageFullException(path + ": no space left on the simulated disk");
            }
            return written;
        }
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
        synchronized (storage) {
            checkOpen();
            return file.read(into, position);
        }
    }

    @Override
    public long size() throws IOException {
        synchronized (storage) {
            checkOpen();
            return file.size();
        }
    }

    @Override
    public void truncate(long size) throws IOException {
        synchronized (storage) {
            checkOpen();
            file.truncate(size);
        }
    }

    @Override
    public void sync() throws IOException {
        synchronized (storage) {
            checkOpen();
            storage.faults().beforeSync(path);
            file.sync();
        }
    }

    @Override
    public FileChannel channel() {
        throw new UnsupportedOperationException("a simulated file has no channel");
    }

    @Override
    public void close() {
        closed = true;
    }

    private void checkOpen() throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        storage.faults().check();
    }
}
