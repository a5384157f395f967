package io.metaq.tck.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.tck.harness.OriginalClient;
import io.metaq.tck.harness.OriginalClient.Received;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What users of the original client do with it, asserted against whichever broker is found through a ZooKeeper. */
final class OriginalClientUse {
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private OriginalClientUse() {}

    /** Sends in all ways to topic {@code orders} (two partitions) and consumes with two members of one group. */
    static void sendAndConsumeInAGroup(String zooKeeper) {
        try (var sender = OriginalClient.through(zooKeeper);
                var first = OriginalClient.through(zooKeeper);
                var second = OriginalClient.through(zooKeeper)) {
            sender.publish("orders");
            first.consume("orders", "shop");
            second.consume("orders", "shop");
            untilBothMembersAreServed(sender, first, second);
            List<Expected> sent = sendInAllWays(sender, 40);
            List<Expected> received = new ArrayList<>();
            await().atMost(PATIENCE).untilAsserted(() -> {
                received.addAll(orders(first));
                received.addAll(orders(second));
                assertThat(received).containsExactlyInAnyOrderElementsOf(sent);
            });
            first.shutdown();
            second.shutdown();
            sender.shutdown();
        }
    }

    /** The members balance in the background; once both were given something, each owns one partition. */
    private static void untilBothMembersAreServed(OriginalClient sender, OriginalClient first, OriginalClient second) {
        List<Received> atFirst = new ArrayList<>();
        List<Received> atSecond = new ArrayList<>();
        List<String> probes = new ArrayList<>();
        await().atMost(PATIENCE).untilAsserted(() -> {
            probes.add("probe " + probes.size());
            sender.send("orders", probes.get(probes.size() - 1), null);
            atFirst.addAll(first.received());
            atSecond.addAll(second.received());
            assertThat(partitions(atFirst)).isNotEmpty();
            assertThat(partitions(atSecond)).isNotEmpty();
        });
        await().atMost(PATIENCE).untilAsserted(() -> {
            atFirst.addAll(first.received());
            atSecond.addAll(second.received());
            atFirst.addAll(atSecond);
            assertThat(atFirst.stream().map(Received::data)).containsAll(probes);
        });
    }

    /** A probe may come twice while the members balance: that is not what is counted. */
    private static List<Expected> orders(OriginalClient member) {
        return member.received().stream()
                .filter(message -> message.data().startsWith("order"))
                .map(Expected::of)
                .toList();
    }

    private static Set<String> partitions(List<Received> messages) {
        return messages.stream().map(Received::partition).collect(Collectors.toSet());
    }

    private record Expected(String data, @Nullable String attribute) {
        static Expected of(Received message) {
            return new Expected(message.data(), message.attribute());
        }
    }

    private static List<Expected> sendInAllWays(OriginalClient sender, int count) {
        List<Expected> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            var message = new Expected("order " + i + " \u00e9\u4e2d", i % 4 == 0 ? "express \u00e9" : null);
            var stored = i % 2 == 0
                    ? sender.send("orders", message.data(), message.attribute())
                    : sender.sendWithCallback("orders", message.data(), message.attribute());
            assertThat(stored.offset()).isNotNegative();
            sent.add(message);
        }
        return sent;
    }

    /** Fills topic {@code kept}, browses it whole twice and asks for statistics. */
    static void browseAndCount(String zooKeeper) {
        try (var client = OriginalClient.through(zooKeeper)) {
            client.publish("kept");
            List<String> sent = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                client.send("kept", "kept " + i, null);
                sent.add("kept " + i);
            }
            assertThat(client.partitions("kept")).hasSize(2);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(client.browse("kept"))
                            .hasSameSizeAs(sent)
                            .containsAll(sent));
            assertThat(client.stats(null)).containsKeys("pid", "broker_id", "uptime", "cmd_put", "topics");
            assertThat(client.stats("kept")).containsEntry("partitions", "2").containsEntry("message_count", "30");
            client.shutdown();
        }
    }
}
