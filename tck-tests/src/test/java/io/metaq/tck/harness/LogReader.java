package io.metaq.tck.harness;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads partitions from their first message to their end by plain {@code get}. */
public final class LogReader {
    private static final int START_SIZE = 512 * 1024;

    private LogReader() {}

    /** Every message of the partitions 0 to {@code partitions - 1}. */
    public static List<StoredMessage> readAll(int port, String topic, int partitions) throws IOException {
        List<StoredMessage> all = new ArrayList<>();
        try (var wire = Wire.connect(port)) {
            for (int partition = 0; partition < partitions; partition++) {
                all.addAll(read(wire, topic, partition, 0));
            }
        }
        return all;
    }

    /** Every message of a partition from an offset, or from the first that is still kept. */
    public static List<StoredMessage> read(Wire wire, String topic, int partition, long from) throws IOException {
        List<StoredMessage> all = new ArrayList<>();
        long offset = from;
        int size = START_SIZE;
        while (true) {
            var reply = wire.ask("get %s reader %d %d %d".formatted(topic, partition, offset, size));
            if (reply.code() == 404) {
                return all;
            }
            if (reply.code() == 301) {
                offset = Long.parseLong(reply.text());
                continue;
            }
            if (!reply.ok()) {
                throw new IOException("get answered %d: %s".formatted(reply.code(), reply.text()));
            }
            var messages = StoredMessage.decode(partition, offset, reply.body());
            all.addAll(messages);
            if (messages.isEmpty()) {
                size *= 2;
            } else {
                offset = messages.get(messages.size() - 1).next();
            }
        }
    }
}
