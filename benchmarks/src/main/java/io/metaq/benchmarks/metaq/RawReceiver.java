package io.metaq.benchmarks.metaq;

import io.metaq.benchmarks.driver.MessageSink;
import io.metaq.benchmarks.driver.Receiver;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * Reads partition 0 from its start as a stream of bytes: the length in an answer's head tells where the next piece begins,
 * so that the next {@code get} is under way while the answer is still read. A message that two pieces share is put together
 * here.
 */
final class RawReceiver implements Receiver {

    private static final int HEADER_BYTES = 20;
    private static final int LONGEST_MESSAGE = 1 << 20;

    private final RawConnection connection;
    private final String topic;
    private final MessageSink sink;
    private final int fetchBytes;
    private final ByteBuffer buffer;
    private final Thread thread;
    private volatile boolean closed;

    RawReceiver(RawConnection connection, String topic, int fetchBytes, MessageSink sink) {
        this.connection = connection;
        this.topic = topic;
        this.sink = sink;
        this.fetchBytes = fetchBytes;
        this.buffer = ByteBuffer.allocateDirect(fetchBytes + LONGEST_MESSAGE);
        this.thread = new Thread(this::run, "raw-receiver");
        thread.start();
    }

    private void run() {
        try {
            receive();
        } catch (IOException failure) {
            if (!closed) {
                throw new IllegalStateException("receiving from " + topic + " failed", failure);
            }
        }
    }

    private void receive() throws IOException {
        long offset = 0;
        ask(offset);
        while (!closed) {
            RawReply reply = connection.reply();
            if (reply.value()) {
                offset += reply.length();
                ask(offset);
                connection.read(buffer.limit(buffer.position() + reply.length()));
                deliver();
                buffer.compact();
            } else {
                String text = connection.text(reply.length());
                if (reply.code() != 404) {
                    throw new IOException("get at " + offset + ": " + reply.code() + " " + text);
                }
                ask(offset);
            }
        }
    }

    private void ask(long offset) throws IOException {
        connection.write("get " + topic + " raw 0 " + offset + " " + fetchBytes + " 1 wait=1000\r\n");
    }

    private void deliver() throws IOException {
        CRC32 crc = new CRC32();
        while (buffer.remaining() >= HEADER_BYTES) {
            int length = buffer.getInt(buffer.position());
            int checksum = buffer.getInt(buffer.position() + 4);
            if (buffer.remaining() < HEADER_BYTES + length) {
                return;
            }
            buffer.position(buffer.position() + HEADER_BYTES);
            ByteBuffer body = buffer.slice(buffer.position(), length);
            buffer.position(buffer.position() + length);
            crc.reset();
            crc.update(body.duplicate());
            if ((int) (crc.getValue() & 0x7FFFFFFF) != checksum) {
                throw new IOException("a message of " + topic + " is damaged");
            }
            sink.accept(body);
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        closed = true;
        connection.close();
        thread.join();
    }
}
