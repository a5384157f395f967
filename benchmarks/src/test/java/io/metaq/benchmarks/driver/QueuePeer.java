package io.metaq.benchmarks.driver;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.UnaryOperator;

/** The smallest broker there is: a queue per topic, in this process. What it delivers can be tampered with. */
final class QueuePeer implements Peer {

    private static final byte[] END = new byte[0];

    private final Map<String, BlockingQueue<byte[]>> topics = new ConcurrentHashMap<>();
    private final UnaryOperator<byte[]> tamper;

    /** @param tamper gives what is stored for a body; an empty body to lose it */
    QueuePeer(UnaryOperator<byte[]> tamper) {
        this.tamper = tamper;
    }

    private BlockingQueue<byte[]> queue(Job job) {
        return topics.computeIfAbsent(job.topic(), name -> new LinkedBlockingQueue<>());
    }

    @Override
    public void createTopic(Job job) {
        queue(job);
    }

    @Override
    public void deleteTopic(Job job) {
        topics.remove(job.topic());
    }

    @Override
    public Sender openSender(Job job) {
        BlockingQueue<byte[]> queue = queue(job);
        return new Sender() {
            @Override
            public void send(byte[] body, Completion done) {
                sendAndWait(body);
                done.done(null);
            }

            @Override
            public void sendAndWait(byte[] body) {
                byte[] stored = tamper.apply(body);
                if (stored.length > 0) {
                    queue.add(stored);
                }
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public Receiver openReceiver(Job job, MessageSink sink) {
        BlockingQueue<byte[]> queue = queue(job);
        Thread thread = new Thread(() -> deliver(queue, sink), "queue-receiver");
        thread.start();
        return () -> {
            queue.add(END);
            thread.join();
        };
    }

    private static void deliver(BlockingQueue<byte[]> queue, MessageSink sink) {
        try {
            for (byte[] body = queue.take(); body != END; body = queue.take()) {
                sink.accept(ByteBuffer.wrap(body));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
