package io.metaq.client;

import io.metaq.client.Admin.PartitionDescription;
import io.metaq.client.net.Link;
import io.metaq.client.net.ServerInfo;
import io.metaq.client.net.Transport.Purpose;
import io.metaq.protocol.AdminOperation;
import io.metaq.protocol.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which partitions of one broker can be written to now. */
final class Availability {

    private static final Logger LOG = LoggerFactory.getLogger(Availability.class);

    private final ClientCore core;
    private final BrokerNode node;
    private final Link link;

    Availability(ClientCore core, BrokerNode node) {
        this.core = core;
        this.node = node;
        this.link = core.brokers().link(node.address(), Purpose.CONTROL);
    }

    /** Empty when the broker does not answer. A 1.4 broker does not tell which partitions are closed. */
    List<TopicPartition> open(String topic, int partitions) {
        try {
            ServerInfo info = await(Calls.identify(link, node.address(), "version", patience()));
            List<TopicPartition> open = new ArrayList<>();
            for (int i = 0; i < partitions; i++) {
                open.add(new TopicPartition(topic, node.id(), i));
            }
            if (info.modern()) {
                open.removeAll(closed(topic));
            }
            return open;
        } catch (MetaqException e) {
            LOG.debug("broker {} counts as not available", node, e);
            return List.of();
        }
    }

    private List<TopicPartition> closed(String topic) {
        Response.Result result =
                await(Calls.admin(link, node.address(), patience(), AdminOperation.TOPIC_DESCRIBE, topic, Map.of()));
        String text = Calls.success("topic describe " + topic, result, node.address());
        List<TopicPartition> closed = new ArrayList<>();
        for (PartitionDescription partition :
                TopicText.description(topic, node, text).partitions()) {
            if (!partition.state().equals("open") && !partition.state().equals("closed-subscribe")) {
                closed.add(new TopicPartition(topic, node.id(), partition.partition()));
            }
        }
        return closed;
    }

    private long patience() {
        return core.requestTimeout().toMillis();
    }

    private <T> T await(java.util.concurrent.CompletableFuture<T> future) {
        return Calls.await(future, "availability", core.requestTimeout().plusSeconds(2));
    }
}
