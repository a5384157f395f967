package io.metaq.cli;

import io.metaq.client.FetchedBatch;
import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.Puller;
import io.metaq.client.Start;
import io.metaq.client.TopicPartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reads partitions in turn without a group, so nothing is remembered: one thread, and each partition in its order. */
final class PlainReading {
    private static final int FETCH_BYTES = 1 << 20;
    private static final Duration WAIT = Duration.ofSeconds(1);

    private final List<Position> positions = new ArrayList<>();
    private final Reading reading;

    PlainReading(MetaqClient client, List<TopicPartition> partitions, Start from, Reading reading) {
        this.reading = reading;
        for (TopicPartition partition : partitions) {
            positions.add(new Position(client.puller(partition), from, reading.follows()));
        }
    }

    /** Returns when it is enough, or at the end unless it follows. */
    void run() {
        try {
            int quietRounds = 0;
            while (!reading.isEnough() && !positions.isEmpty()) {
                boolean waits = quietRounds > 0;
                quietRounds = round(waits ? WAIT.dividedBy(positions.size()) : Duration.ZERO) ? 0 : quietRounds + 1;
                reading.pause();
            }
        } finally {
            positions.forEach(Position::close);
        }
    }

    /** Fetches once from every partition; true if there was a message. */
    private boolean round(Duration wait) {
        boolean any = false;
        for (Position position : List.copyOf(positions)) {
            if (!position.isAtEnd()) {
                any |= position.fetch(reading, wait);
            }
            if (position.isAtEnd()) {
                position.close();
                positions.remove(position);
            }
        }
        return any;
    }

    /** How far one partition is read. */
    private static final class Position {
        private final Puller puller;
        private final long end;
        private long offset;

        Position(Puller puller, Start from, boolean endless) {
            this.puller = puller;
            this.end = endless ? Long.MAX_VALUE : puller.offsetOf(Start.last());
            this.offset = puller.offsetOf(from);
        }

        boolean isAtEnd() {
            return offset >= end;
        }

        boolean fetch(Reading reading, Duration wait) {
            try (FetchedBatch batch = puller.fetch(offset, FETCH_BYTES, wait)) {
                for (Message message : batch) {
                    if (message.offset() >= end || !reading.take(message)) {
                        break;
                    }
                }
                // an empty answer before the end: what was there is gone meanwhile
                offset = batch.isEmpty() && end != Long.MAX_VALUE && batch.nextOffset() <= offset
                        ? end
                        : batch.nextOffset();
                return !batch.isEmpty();
            }
        }

        void close() {
            puller.close();
        }
    }
}
