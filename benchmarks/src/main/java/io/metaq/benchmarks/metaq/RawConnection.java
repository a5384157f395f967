package io.metaq.benchmarks.metaq;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** A blocking connection. One thread reads; writes of several threads are the caller's to order. */
final class RawConnection implements AutoCloseable {

    private final SocketChannel channel;
    private final ByteBuffer input = ByteBuffer.allocateDirect(64 << 10).limit(0);

    RawConnection(String host, int port) throws IOException {
        this.channel = SocketChannel.open(new InetSocketAddress(host, port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    void write(String line) throws IOException {
        write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
    }

    void write(ByteBuffer... buffers) throws IOException {
        ByteBuffer last = buffers[buffers.length - 1];
        while (last.hasRemaining()) {
            channel.write(buffers);
        }
    }

    /** Reads the head line of the next answer; its {@code length} bytes are then to be read. */
    RawReply reply() throws IOException {
        StringBuilder line = new StringBuilder(48);
        for (char c = next(); c != '\n'; c = next()) {
            if (c != '\r') {
                line.append(c);
            }
        }
        return RawReply.parse(line.toString());
    }

    String text(int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        read(bytes);
        return StandardCharsets.UTF_8.decode(bytes).toString();
    }

    /** Fills the buffer from its position to its limit, and flips it. */
    void read(ByteBuffer into) throws IOException {
        int buffered = Math.min(input.remaining(), into.remaining());
        into.put(into.position(), input, input.position(), buffered);
        into.position(into.position() + buffered);
        input.position(input.position() + buffered);
        while (into.hasRemaining()) {
            if (channel.read(into) < 0) {
                throw new EOFException("the broker closed the connection");
            }
        }
        into.flip();
    }

    private char next() throws IOException {
        if (!input.hasRemaining()) {
            int read = channel.read(input.clear());
            input.flip();
            if (read < 0) {
                throw new EOFException("the broker closed the connection");
            }
        }
        return (char) input.get();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
