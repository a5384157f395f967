package io.metaq.client;

import io.metaq.client.net.Transport.Purpose;
import io.metaq.client.subscription.SubscriberLink;
import io.metaq.client.subscription.SubscriberListener;
import io.metaq.protocol.Request;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The client: hands out what is made from its core. */
final class SharedClient implements MetaqClient {

    private static final Logger LOG = LoggerFactory.getLogger(SharedClient.class);

    private final ClientCore core;

    SharedClient(ClientCore core) {
        this.core = core;
    }

    @Override
    public ProducerBuilder producer() {
        return new ProducerBuilder(core);
    }

    @Override
    public ConsumerBuilder consumer(String group) {
        return new ConsumerBuilder(core, group);
    }

    @Override
    public Puller puller(String topic, int partition) {
        List<TopicPartition> found = new ArrayList<>();
        for (TopicPartition candidate : partitions(topic)) {
            if (candidate.partition() == partition) {
                found.add(candidate);
            }
        }
        if (found.isEmpty()) {
            throw Failures.noPartition(topic, partition);
        }
        if (found.size() > 1) {
            throw new IllegalArgumentException(
                    "several brokers have partition " + partition + " of topic " + topic + ": choose one of " + found);
        }
        return puller(found.get(0));
    }

    @Override
    public Puller puller(TopicPartition partition) {
        core.checkOpen();
        if (core.brokers().address(partition.broker()) == null) {
            core.route(partition.topic(), RouteSource.Use.SUBSCRIBE);
        }
        return core.register(new PrefetchingPuller(core, partition));
    }

    @Override
    public TopicBrowser browse(String topic) {
        return core.register(new PartitionsBrowser(core, topic, partitions(topic)));
    }

    @Override
    public SubscriberLink subscriber(SubscriberListener listener) {
        core.checkOpen();
        return core.register(new ClientSubscribers(core).open(listener));
    }

    @Override
    public Map<BrokerAddress, Map<String, String>> stats(String item) {
        String asked = item.isBlank() ? null : item;
        Map<BrokerAddress, CompletableFuture<String>> answers = new LinkedHashMap<>();
        for (BrokerNode node : core.nodes()) {
            answers.put(node.address(), askStats(node.address(), asked));
        }
        Map<BrokerAddress, Map<String, String>> stats = new LinkedHashMap<>();
        answers.forEach((address, answer) -> {
            try {
                stats.put(
                        address,
                        StatsText.parse(Calls.await(
                                answer, "stats", core.requestTimeout().plusSeconds(2))));
            } catch (MetaqException e) {
                LOG.warn("no statistics from {}: {}", address, Failures.brief(e));
            }
        });
        return stats;
    }

    private CompletableFuture<String> askStats(BrokerAddress address, @Nullable String item) {
        return Calls.text(
                core.brokers().link(address, Purpose.CONTROL),
                address,
                "stats",
                core.requestTimeout().toMillis(),
                opaque -> new Request.Stats(item, opaque));
    }

    @Override
    public List<TopicPartition> partitions(String topic) {
        List<TopicPartition> all =
                new ArrayList<>(core.route(topic, RouteSource.Use.SUBSCRIBE).partitions());
        all.removeIf(partition -> partition.partition() == TopicPartition.ANY);
        return List.copyOf(all);
    }

    @Override
    public List<TopicPartition> availablePartitions(String topic) {
        List<TopicPartition> available = new ArrayList<>();
        for (Route.Entry entry : core.route(topic, RouteSource.Use.PUBLISH).entries()) {
            available.addAll(new Availability(core, entry.broker()).open(topic, entry.partitions()));
        }
        available.sort(null);
        return List.copyOf(available);
    }

    @Override
    public List<BrokerNode> brokers() {
        return core.nodes();
    }

    @Override
    public Admin admin() {
        core.checkOpen();
        return new BrokerAdmin(core, null);
    }

    @Override
    public void close() {
        core.close();
    }
}
