package io.metaq.tck.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.tck.harness.BrokerProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Topics made by command, which is answered when they are on disk, and offsets committed, which are on disk when a message
 * that was taken after them is: so they outlive what follows.
 */
final class DurableChanges {
    private final List<String> topics = new ArrayList<>();
    private long offset = -1;

    /** Makes a topic and commits an offset. */
    void make(BrokerProcess broker, int round) throws IOException {
        String topic = "made" + round;
        try (var wire = broker.wire()) {
            var created = wire.askWithOptions("topic create " + topic, "partitions=2", new byte[0]);
            assertThat(created.code()).as(created.text()).isEqualTo(200);
            topics.add(topic);
            var committed = wire.askWithOptions(
                    "group commit readers", "topic=load partition=0 offset=%d".formatted(round), new byte[0]);
            assertThat(committed.code()).as(committed.text()).isEqualTo(200);
            offset = round;
        }
    }

    void verify(BrokerProcess broker) throws IOException {
        try (var wire = broker.wire()) {
            var listed = wire.ask("topic list *").text();
            assertThat(listed.lines().map(line -> line.split(" ")[0])).containsAll(topics);
            var offsets = wire.askWithOptions("group offsets readers", "topic=load", new byte[0]);
            assertThat(offsets.text()).startsWith("load 0 %d ".formatted(offset));
        }
    }
}
