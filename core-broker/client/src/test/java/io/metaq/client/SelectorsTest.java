package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SelectorsTest {

    private static final List<TopicPartition> UNEVEN = List.of(
            new TopicPartition("t", 1, 0),
            new TopicPartition("t", 1, 1),
            new TopicPartition("t", 1, 2),
            new TopicPartition("t", 2, 0));

    private static Map<TopicPartition, Long> counts(PartitionSelector selector, int messages) {
        Message message = Message.of("t", new byte[0]);
        return IntStream.range(0, messages)
                .mapToObj(i -> selector.select(message, UNEVEN))
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }

    @Test
    void shouldVisitPartitionsInTurn() {
        assertThat(counts(PartitionSelector.roundRobin(), 40).values())
                .containsOnly(10L)
                .hasSize(4);
    }

    @Test
    void shouldVisitBrokersInTurnAndTheirPartitionsInTurn() {
        Map<TopicPartition, Long> counts = counts(PartitionSelector.brokerRoundRobin(), 60);

        assertThat(counts.get(UNEVEN.get(3))).isEqualTo(30);
        assertThat(counts.get(UNEVEN.get(0))).isEqualTo(10);
        assertThat(counts.get(UNEVEN.get(2))).isEqualTo(10);
    }

    @Test
    void shouldKeepAKeyInItsPartition() {
        PartitionSelector selector = PartitionSelector.byKey();
        Set<TopicPartition> used = new HashSet<>();
        for (int key = 0; key < 100; key++) {
            Message message = Message.of("t", new byte[0]).key("key" + key);
            TopicPartition first = selector.select(message, UNEVEN);
            assertThat(selector.select(message, UNEVEN)).isEqualTo(first);
            used.add(first);
        }
        assertThat(used).hasSize(4);
        assertThat(selector.isSticky()).isTrue();
    }

    @Test
    void shouldPreferBrokersOnThisMachine() {
        Brokers brokers = new Brokers(new io.metaq.client.net.Transport(
                io.metaq.client.net.NetworkThreads.own(1),
                new io.metaq.client.net.LinkSettings(100, 100, 100, 1000, true, "test", null, null)));
        brokers.seen(new BrokerNode(1, new BrokerAddress("127.0.0.1", 1)));
        brokers.seen(new BrokerNode(2, new BrokerAddress("192.0.2.1", 1)));
        BrokerHealth health = new BrokerHealth();
        TopicTargets targets = new TopicTargets("t", health, brokers, true);
        targets.update(UNEVEN);

        assertThat(targets.available()).hasSize(3).allMatch(partition -> partition.broker() == 1);
        health.unreachable(1);
        assertThat(targets.available()).containsExactly(UNEVEN.get(3));
        health.unreachable(2);
        assertThat(targets.available())
                .as("nobody is healthy: any may be tried")
                .hasSize(3);
        health.good(2);
        assertThat(targets.alternatives(2)).isEmpty();
        assertThat(new ArrayList<>(targets.alternatives(1))).containsExactly(UNEVEN.get(3));
        brokers.transport().close();
    }
}
