package io.metaq.client;

import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes sure that the address of every broker is known before a consumer hears of its partitions. */
final class SeenAddresses implements GroupMembership.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(SeenAddresses.class);

    private final ClientCore core;
    private final GroupMembership.Listener listener;

    SeenAddresses(ClientCore core, GroupMembership.Listener listener) {
        this.core = core;
        this.listener = listener;
    }

    @Override
    public void assigned(Set<TopicPartition> partitions) {
        // The membership's thread must not block, and asking for addresses may. One thread per group of calls keeps
        // their order.
        core.inOrder(() -> {
            for (TopicPartition partition : partitions) {
                if (core.brokers().address(partition.broker()) == null) {
                    learn(partition);
                }
            }
            listener.assigned(partitions);
        });
    }

    private void learn(TopicPartition partition) {
        try {
            core.route(partition.topic(), RouteSource.Use.SUBSCRIBE);
            core.nodes();
        } catch (MetaqException e) {
            LOG.warn("address of the broker of {} not known yet: {}", partition, Failures.brief(e));
        }
    }

    @Override
    public void revoked(Set<TopicPartition> partitions) {
        core.inOrder(() -> listener.revoked(partitions));
    }

    @Override
    public void lost(Set<TopicPartition> partitions) {
        core.inOrder(() -> listener.lost(partitions));
    }
}
