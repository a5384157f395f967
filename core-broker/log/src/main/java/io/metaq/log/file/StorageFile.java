package io.metaq.log.file;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** One open file. Reads may run beside a write; there is at most one writer at a time. */
public interface StorageFile extends AutoCloseable {

    /**
     * Writes all remaining bytes of {@code buffers[0..count)} one after the other, starting at {@code position}, and
     * consumes the buffers.
     *
     * @return number of bytes written
     * @throws StorageFullException when the disk has no room; any part of the bytes may have been written
     */
    long write(ByteBuffer[] buffers, int count, long position) throws IOException;

    /** Writes all remaining bytes of one buffer. */
    long write(ByteBuffer buffer, long position) throws IOException;

    /**
     * Reads at most {@code into.remaining()} bytes.
     *
     * @return number of bytes read, -1 at or after the end of the file
     */
    int read(ByteBuffer into, long position) throws IOException;

    /** Fills {@code into} or fails with {@link EOFException}. */
    default void readFully(ByteBuffer into, long position) throws IOException {
        long at = position;
        while (into.hasRemaining()) {
            int read = read(into, at);
            if (read < 0) {
                throw new EOFException("end of file at " + at + ", " + into.remaining() + " bytes short");
            }
            at += read;
        }
    }

    long size() throws IOException;

    void truncate(long size) throws IOException;

    /**
     * Makes the content and the size durable. After a failure the file must not be trusted again: the system marks
     * pages that it could not write as clean, so that a second call would succeed without having stored anything.
     */
    void sync() throws IOException;

    /**
     * The channel, for sending from the file to a socket.
     *
     * @throws UnsupportedOperationException when the storage is a simulation
     */
    FileChannel channel();

    @Override
    void close() throws IOException;
}
