package io.metaq.broker.command;

import io.metaq.broker.net.Session;
import io.metaq.broker.store.Store;
import io.metaq.log.partition.DamagedRange;
import io.metaq.protocol.Status;
import io.metaq.state.Partition;
import io.metaq.state.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads partition logs whole and checks every message, while they serve; sets damaged ranges aside. One at a time. */
final class Scrub {
    private static final Logger LOG = LoggerFactory.getLogger(Scrub.class);

    private final Store store;
    private final ExecutorService thread =
            new ThreadPoolExecutor(0, 1, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                Thread scrub = new Thread(task, "metaq-scrub");
                scrub.setDaemon(true);
                return scrub;
            });

    Scrub(Store store) {
        this.store = store;
    }

    /** Scrubs in the background and answers when done. */
    void start(Topic topic, PartitionRange range, int opaque, Session session) {
        if (range.first() < 0 || range.last() >= topic.partitionCount() || range.first() > range.last()) {
            throw new IllegalArgumentException(
                    "topic " + topic.name() + " has partitions 0 to " + (topic.partitionCount() - 1));
        }
        thread.execute(() -> {
            try {
                String report = scrub(topic, range);
                session.later(() -> session.reply(Status.OK, report, opaque));
            } catch (IOException | CompletionException e) {
                LOG.error("scrubbing {} failed", topic.name(), e);
                session.later(
                        () -> session.reply(Status.FAILED, "the scrub could not go on: " + e.getMessage(), opaque));
            }
        });
    }

    private String scrub(Topic topic, PartitionRange range) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = range.first(); i <= range.last(); i++) {
            Partition partition = topic.partitions()[i];
            List<DamagedRange> found = partition.files().verify();
            lines.append("partition ").append(i);
            lines.append(" messages ").append(partition.log().messageCount());
            lines.append(" damaged ").append(found.size()).append("\r\n");
            for (DamagedRange damage : found) {
                Path copy = store.setAside(partition, damage).join();
                LOG.error(
                        "{}: bytes {} to {} are damaged, copied to {}",
                        partition.name(),
                        damage.from(),
                        damage.to(),
                        copy);
                lines.append("damaged ").append(i).append(' ').append(damage.from());
                lines.append(' ').append(damage.to()).append(' ').append(copy).append("\r\n");
            }
        }
        return lines.toString();
    }
}
