package io.metaq.cli;

import io.metaq.client.Durability;
import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.PartitionSelector;
import io.metaq.client.Producer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;

/**
 * Sends every line of every file, keyed by file so that its lines stay in order, with the file's number as the attribute. Half
 * way it waits until all is acknowledged so far; a little later, with messages on their way again, it calls for the interruption,
 * and goes on.
 */
final class DemoSending {
    private static final int MAX_LINE = 8 << 20;
    private static final Duration TIMEOUT = Duration.ofSeconds(180);

    private final MetaqClient client;
    private final String topic;
    private final List<DemoFile> files;
    private final SendTally tally = new SendTally();
    private long totalBytes;
    private long handedOverBytes;
    private long handedOver;
    private boolean settled;
    private boolean interrupted;

    DemoSending(MetaqClient client, String topic, List<DemoFile> files) {
        this.client = client;
        this.topic = topic;
        this.files = files;
    }

    /** What is done to the broker in the middle. */
    interface Interruption {
        void happen() throws InterruptedException;
    }

    /**
     * Returns when all is acknowledged.
     *
     * @return how fast it went
     * @throws CommandFailedException if a message was not stored
     */
    String run(Interruption interruption, Runnable progress) throws IOException, InterruptedException {
        for (DemoFile file : files) {
            totalBytes += Files.size(file.path());
        }
        try (Producer producer = client.producer()
                .partitionSelector(PartitionSelector.byKey())
                .durability(Durability.DISK)
                .timeout(TIMEOUT)
                .build()) {
            for (int i = 0; i < files.size(); i++) {
                send(producer, i, interruption, progress);
            }
            producer.flush();
        }
        if (tally.failed() > 0) {
            throw new CommandFailedException(
                    tally.failed() + " messages were not stored; the first: " + tally.firstFailure());
        }
        return rate();
    }

    private void send(Producer producer, int number, Interruption interruption, Runnable progress)
            throws IOException, InterruptedException {
        DemoFile file = files.get(number);
        String attribute = Integer.toString(number);
        try (InputStream in = Files.newInputStream(file.path())) {
            FilePieces pieces = new FilePieces(in, MAX_LINE);
            for (byte[] line = pieces.next(); line != null; line = pieces.next()) {
                int size = line.length;
                file.sent().add(ByteBuffer.wrap(line));
                producer.send(
                        Message.of(topic, line).key(file.name()).attribute(attribute),
                        (result, failure) -> tally.completed(size, failure));
                handedOver++;
                handedOverBytes += size;
                progress.run();
                interruptInTheMiddle(producer, interruption);
            }
        }
    }

    private void interruptInTheMiddle(Producer producer, Interruption interruption) throws InterruptedException {
        if (!settled && handedOverBytes >= totalBytes / 2) {
            settled = true;
            producer.flush();
        }
        if (!interrupted && handedOverBytes >= totalBytes / 8 * 5) {
            interrupted = true;
            interruption.happen();
        }
    }

    /** Messages that the broker has acknowledged. */
    long stored() {
        return tally.stored();
    }

    /** Messages given to the producer, whatever has become of them. */
    long handedOver() {
        return handedOver;
    }

    String rate() {
        return tally.rate();
    }
}
