package io.metaq.benchmarks.peer.kafka;

import io.metaq.benchmarks.driver.Completion;
import io.metaq.benchmarks.driver.Job;
import io.metaq.benchmarks.driver.Sender;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * One producer per set of settings, shared by all threads: what Kafka's documentation advises, as it lets messages of
 * several threads travel in one batch.
 */
final class SharedProducers {

    private final String server;
    private final Map<Map<String, Object>, Producer<byte[], byte[]>> producers = new HashMap<>();

    SharedProducers(String server) {
        this.server = server;
    }

    synchronized Sender sender(Job job) {
        return new SharedSender(job.topic(), producers.computeIfAbsent(settings(job), KafkaProducer::new));
    }

    synchronized void close() {
        producers.values().forEach(Producer::close);
    }

    private Map<String, Object> settings(Job job) {
        String acks = job.text("acks", "1");
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", server);
        settings.put("key.serializer", ByteArraySerializer.class);
        settings.put("value.serializer", ByteArraySerializer.class);
        settings.put("acks", acks);
        settings.put("enable.idempotence", acks.equals("all"));
        settings.put("buffer.memory", 256L << 20);
        settings.put("batch.size", (int) job.number("kafka.batch", 256 << 10));
        settings.put("max.request.size", 4 << 20);
        settings.put("linger.ms", (int) job.number("kafka.linger", 0));
        return settings;
    }

    private record SharedSender(String topic, Producer<byte[], byte[]> producer) implements Sender {

        @Override
        public void send(byte[] body, Completion done) {
            producer.send(new ProducerRecord<>(topic, 0, null, body), (metadata, error) -> done.done(error));
        }

        @Override
        public void sendAndWait(byte[] body) throws Exception {
            producer.send(new ProducerRecord<>(topic, 0, null, body)).get();
        }

        @Override
        public void close() {
            producer.flush();
        }
    }
}
