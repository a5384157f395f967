package io.metaq.cli;

import io.metaq.client.FetchedBatch;
import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.Puller;
import io.metaq.client.Start;
import io.metaq.client.TopicPartition;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Reads the topic from its first to its last message and adds every line to what was received of its file. */
final class DemoReceiving {
    private static final int FETCH_BYTES = 4 << 20;

    private final MetaqClient client;
    private final String topic;
    private final List<DemoFile> files;
    private final long started = System.nanoTime();
    private long messages;
    private long bytes;

    DemoReceiving(MetaqClient client, String topic, List<DemoFile> files) {
        this.client = client;
        this.topic = topic;
        this.files = files;
    }

    void run(Runnable progress) {
        for (TopicPartition partition : client.partitions(topic)) {
            try (Puller puller = client.puller(partition)) {
                read(puller, progress);
            }
        }
    }

    private void read(Puller puller, Runnable progress) {
        long end = puller.offsetOf(Start.last());
        long offset = puller.offsetOf(Start.first());
        while (offset < end) {
            try (FetchedBatch batch = puller.fetch(offset, FETCH_BYTES, Duration.ofSeconds(1))) {
                batch.forEach(this::take);
                offset = batch.nextOffset();
            }
            progress.run();
        }
    }

    private void take(Message message) {
        messages++;
        bytes += message.size();
        int number = Integer.parseInt(Objects.requireNonNull(message.attribute(), "every line has its file's number"));
        files.get(number).received().add(message.buffer());
    }

    String rate() {
        return Progress.rate(messages, bytes, System.nanoTime() - started);
    }
}
