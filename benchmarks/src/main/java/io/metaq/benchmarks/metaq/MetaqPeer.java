package io.metaq.benchmarks.metaq;

import io.metaq.benchmarks.driver.Driver;
import io.metaq.benchmarks.driver.Job;
import io.metaq.benchmarks.driver.MessageSink;
import io.metaq.benchmarks.driver.Peer;
import io.metaq.benchmarks.driver.Receiver;
import io.metaq.benchmarks.driver.Sender;
import io.metaq.client.Consumer;
import io.metaq.client.MetaqClient;
import io.metaq.client.Producer;
import io.metaq.client.Start;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

/** Argument: the broker's {@code host:port}. One client, a producer per sender, a consumer group of its own per receiver. */
final class MetaqPeer implements Peer {

    private static final int FETCH_BYTES = 1 << 20;

    private final MetaqClient client;

    private MetaqPeer(String server) {
        this.client = MetaqClient.builder().servers(server).build();
    }

    public static void main(String[] args) throws Exception {
        Driver.serve(new MetaqPeer(args[0]));
    }

    @Override
    public void createTopic(Job job) {
        client.admin().createTopic(job.topic(), 1, Map.of("unflushThreshold", job.syncsToDisk() ? "0" : "1000"));
    }

    @Override
    public void deleteTopic(Job job) {
        client.admin().deleteTopic(job.topic());
    }

    @Override
    public Sender openSender(Job job) {
        Producer producer = client.producer().timeout(Duration.ofSeconds(60)).build();
        return new MetaqSender(job.topic(), producer);
    }

    @Override
    public Receiver openReceiver(Job job, MessageSink sink) {
        Consumer consumer = client.consumer("bench-" + UUID.randomUUID())
                .subscribe(job.topic(), message -> sink.accept(message.buffer()))
                .startAt(Start.first())
                .borrowPayloads()
                .fetchSize((int) job.number("metaq.fetch", FETCH_BYTES))
                .start();
        return consumer::close;
    }

    @Override
    public void close() {
        client.close();
    }
}
