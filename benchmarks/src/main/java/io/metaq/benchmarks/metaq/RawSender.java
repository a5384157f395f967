package io.metaq.benchmarks.metaq;

import io.metaq.benchmarks.driver.Completion;
import io.metaq.benchmarks.driver.Sender;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** Sends to partition 0 by {@code append}: what was handed over while batches were under way leaves as the next batch. */
final class RawSender implements Sender {

    private static final int HEADER_BYTES = 20;
    private static final int MOST_UNDER_WAY = 4;

    private final RawConnection connection;
    private final String topic;
    private final int batchBytes;
    private final Deque<Batch> underWay = new ArrayDeque<>();
    private final Deque<Batch> spare = new ArrayDeque<>();
    private final CRC32 crc = new CRC32();
    private final Thread reader;
    private Batch filling;
    private boolean closed;

    private static final class Batch {
        private final ByteBuffer messages;
        private final List<Completion> completions = new ArrayList<>();

        Batch(int bytes) {
            this.messages = ByteBuffer.allocateDirect(bytes);
        }
    }

    RawSender(RawConnection connection, String topic, int batchBytes) {
        this.connection = connection;
        this.topic = topic;
        this.batchBytes = batchBytes;
        this.filling = new Batch(batchBytes);
        this.reader = new Thread(this::read, "raw-sender-replies");
        reader.start();
    }

    @Override
    public synchronized void send(byte[] body, Completion done) throws Exception {
        while (filling.messages.remaining() < HEADER_BYTES + body.length) {
            if (underWay.size() < MOST_UNDER_WAY) {
                dispatch();
            } else {
                wait();
            }
        }
        crc.reset();
        crc.update(body);
        filling.messages
                .putInt(body.length)
                .putInt((int) (crc.getValue() & 0x7FFFFFFF))
                .putLong(0)
                .putInt(0)
                .put(body);
        filling.completions.add(done);
        if (underWay.isEmpty()) {
            dispatch();
        }
    }

    @Override
    public void sendAndWait(byte[] body) throws Exception {
        CompletableFuture<Void> end = new CompletableFuture<>();
        send(body, error -> {
            if (error == null) {
                end.complete(null);
            } else {
                end.completeExceptionally(error);
            }
        });
        end.get();
    }

    private void dispatch() throws IOException {
        Batch batch = filling;
        underWay.add(batch);
        Batch next = spare.poll();
        filling = next == null ? new Batch(batchBytes) : next;
        batch.messages.flip();
        String line =
                "append " + topic + " 0 " + batch.completions.size() + " " + batch.messages.remaining() + " 1\r\n";
        connection.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII)), batch.messages);
    }

    private void read() {
        try {
            while (true) {
                RawReply reply = connection.reply();
                String text = connection.text(reply.length());
                Exception error = reply.code() == 200 ? null : new IOException(reply.code() + " " + text);
                answered(error);
            }
        } catch (IOException ended) {
            failAll(ended);
        }
    }

    /** Answers to appends of one connection to one partition come in the order of the appends. */
    private void answered(@Nullable Exception error) throws IOException {
        Batch batch;
        synchronized (this) {
            batch = underWay.remove();
            if (!filling.completions.isEmpty()) {
                dispatch();
            }
            notifyAll();
        }
        batch.completions.forEach(completion -> completion.done(error));
        batch.completions.clear();
        batch.messages.clear();
        synchronized (this) {
            spare.add(batch);
        }
    }

    private void failAll(IOException reason) {
        List<Batch> lost;
        synchronized (this) {
            if (closed) {
                return;
            }
            lost = new ArrayList<>(underWay);
            lost.add(filling);
        }
        lost.forEach(batch -> batch.completions.forEach(completion -> completion.done(reason)));
    }

    @Override
    public void close() throws IOException, InterruptedException {
        synchronized (this) {
            closed = true;
        }
        connection.close();
        reader.join();
    }
}
