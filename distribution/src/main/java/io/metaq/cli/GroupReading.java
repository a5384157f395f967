package io.metaq.cli;

import io.metaq.client.Consumer;
import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.Puller;
import io.metaq.client.Start;
import io.metaq.client.TopicPartition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Reads as a member of a group. Without following it ends when every partition that is this member's has reached the end it had at
 * the beginning; which partitions those are is up to the group.
 */
final class GroupReading {
    private static final long CHECK_MS = 100;
    private static final long ASSIGNMENT_WAIT_NS = TimeUnit.SECONDS.toNanos(30);

    private final MetaqClient client;
    private final String group;
    private final List<TopicPartition> partitions;
    private final Start from;
    private final Reading reading;
    private final CountDownLatch enough = new CountDownLatch(1);

    GroupReading(MetaqClient client, String group, List<TopicPartition> partitions, Start from, Reading reading) {
        this.client = client;
        this.group = group;
        this.partitions = partitions;
        this.from = from;
        this.reading = reading;
    }

    void run() throws InterruptedException {
        Map<TopicPartition, Long> ends = ends();
        String topic = partitions.get(0).topic();
        long started = System.nanoTime();
        try (Consumer consumer = client.consumer(group)
                .subscribe(topic, this::onMessage)
                .startAt(from)
                .start()) {
            while (!enough.await(CHECK_MS, TimeUnit.MILLISECONDS)) {
                synchronized (reading) {
                    reading.pause();
                }
                if (reading.isEnough() || (!reading.follows() && isDone(consumer, ends, started))) {
                    return;
                }
            }
        }
    }

    private Map<TopicPartition, Long> ends() {
        Map<TopicPartition, Long> ends = new HashMap<>();
        for (TopicPartition partition : partitions) {
            try (Puller puller = client.puller(partition)) {
                ends.put(partition, puller.offsetOf(Start.last()));
            }
        }
        return ends;
    }

    /** A message that is not taken stays the group's: its offset does not move over it. */
    private void onMessage(Message message) {
        synchronized (reading) {
            if (!reading.take(message)) {
                message.markRollback();
            }
            if (reading.isEnough()) {
                enough.countDown();
            }
        }
    }

    private static boolean isDone(Consumer consumer, Map<TopicPartition, Long> ends, long started) {
        Map<TopicPartition, Long> positions = consumer.positions();
        if (consumer.assignment().isEmpty()) {
            if (System.nanoTime() - started > ASSIGNMENT_WAIT_NS) {
                throw new CommandFailedException(
                        "the other members of the group own all partitions; see: metaq group describe "
                                + consumer.group());
            }
            return false;
        }
        return consumer.assignment().stream()
                .allMatch(partition -> positions.getOrDefault(partition, -1L) >= ends.getOrDefault(partition, 0L));
    }
}
