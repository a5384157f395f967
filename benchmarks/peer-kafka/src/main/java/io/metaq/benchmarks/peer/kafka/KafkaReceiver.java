package io.metaq.benchmarks.peer.kafka;

import io.metaq.benchmarks.driver.Job;
import io.metaq.benchmarks.driver.MessageSink;
import io.metaq.benchmarks.driver.Receiver;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteBufferDeserializer;

/** A consumer of one partition from its first message, without a group. */
final class KafkaReceiver implements Receiver {

    private static final Duration POLL = Duration.ofMillis(100);

    private final KafkaConsumer<ByteBuffer, ByteBuffer> consumer;
    private final MessageSink sink;
    private final Thread thread;
    private volatile boolean closed;

    KafkaReceiver(String server, Job job, MessageSink sink) {
        this.sink = sink;
        this.consumer = new KafkaConsumer<>(settings(server, job));
        TopicPartition partition = new TopicPartition(job.topic(), 0);
        consumer.assign(List.of(partition));
        consumer.seekToBeginning(List.of(partition));
        this.thread = new Thread(this::poll, "kafka-receiver");
        thread.start();
    }

    private static Map<String, Object> settings(String server, Job job) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", server);
        settings.put("key.deserializer", ByteBufferDeserializer.class);
        settings.put("value.deserializer", ByteBufferDeserializer.class);
        settings.put("enable.auto.commit", false);
        settings.put("max.poll.records", 10_000);
        settings.put("max.partition.fetch.bytes", (int) job.number("kafka.fetchMax", 8 << 20));
        settings.put("fetch.max.bytes", 64 << 20);
        settings.put("fetch.min.bytes", (int) job.number("kafka.fetchMin", 1));
        settings.put("fetch.max.wait.ms", (int) job.number("kafka.fetchWait", 500));
        settings.put("receive.buffer.bytes", -1);
        return settings;
    }

    private void poll() {
        try (consumer) {
            while (!closed) {
                for (ConsumerRecord<ByteBuffer, ByteBuffer> message : consumer.poll(POLL)) {
                    sink.accept(message.value());
                }
            }
        }
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.join();
    }
}
