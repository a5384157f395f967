package io.metaq.benchmarks.peer.kafka;

import io.metaq.benchmarks.driver.Driver;
import io.metaq.benchmarks.driver.Job;
import io.metaq.benchmarks.driver.MessageSink;
import io.metaq.benchmarks.driver.Peer;
import io.metaq.benchmarks.driver.Receiver;
import io.metaq.benchmarks.driver.Sender;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** Argument: the broker's {@code host:port}. */
final class KafkaPeer implements Peer {

    private final String server;
    private final Admin admin;
    private final SharedProducers producers;

    private KafkaPeer(String server) {
        this.server = server;
        this.admin = Admin.create(Map.of("bootstrap.servers", server));
        this.producers = new SharedProducers(server);
    }

    public static void main(String[] args) throws Exception {
        Driver.serve(new KafkaPeer(args[0]));
    }

    @Override
    public void createTopic(Job job) throws Exception {
        Map<String, String> configs = job.syncsToDisk() ? Map.of("flush.messages", "1") : Map.of();
        NewTopic topic = new NewTopic(job.topic(), Optional.of(1), Optional.empty()).configs(configs);
        admin.createTopics(List.of(topic)).all().get();
    }

    @Override
    public void deleteTopic(Job job) throws Exception {
        admin.deleteTopics(List.of(job.topic())).all().get();
    }

    @Override
    public Sender openSender(Job job) {
        return producers.sender(job);
    }

    @Override
    public Receiver openReceiver(Job job, MessageSink sink) {
        return new KafkaReceiver(server, job, sink);
    }

    @Override
    public void close() {
        producers.close();
        admin.close();
    }
}
