package io.metaq.log.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** A file on the machine's disk. */
final class DiskFile implements StorageFile {

    private final Path path;
    private final FileChannel channel;

    DiskFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /** The JDK has no gathering write with a position, so the channel's own position is moved first. */
    @Override
    public long write(ByteBuffer[] buffers, int count, long position) throws IOException {
        if (count == 1) {
            return write(buffers[0], position);
        }
        try {
            channel.position(position);
            long written = 0;
            int first = 0;
            while (first < count) {
                written += channel.write(buffers, first, count - first);
                while (first < count && !buffers[first].hasRemaining()) {
                    first++;
                }
            }
            return written;
        } catch (IOException e) {
            throw DiskErrors.classify(e, path);
        }
    }

    @Override
    public long write(ByteBuffer buffer, long position) throws IOException {
        try {
            long at = position;
            while (buffer.hasRemaining()) {
                at += channel.write(buffer, at);
            }
            return at - position;
        } catch (IOException e) {
            throw DiskErrors.classify(e, path);
        }
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
        return channel.read(into, position);
    }

    @Override
    public long size() throws IOException {
        return channel.size();
    }

    @Override
    public void truncate(long size) throws IOException {
        channel.truncate(size);
    }

    @Override
    public void sync() throws IOException {
        channel.force(false);
    }

    @Override
    public FileChannel channel() {
        return channel;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
