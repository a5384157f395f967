package io.metaq.client;

import io.metaq.client.net.Link;
import io.metaq.client.net.LocalAddresses;
import io.metaq.client.net.Transport;
import io.metaq.client.net.Transport.Purpose;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Where each broker id was seen last, and the links to them. */
final class Brokers {

    private final Transport transport;
    private final Map<Integer, BrokerAddress> addresses = new ConcurrentHashMap<>();
    private final Map<BrokerAddress, Boolean> local = new ConcurrentHashMap<>();

    Brokers(Transport transport) {
        this.transport = transport;
    }

    Transport transport() {
        return transport;
    }

    void seen(BrokerNode node) {
        addresses.put(node.id(), node.address());
    }

    void seen(Route route) {
        route.entries().forEach(entry -> seen(entry.broker()));
    }

    /** @return null for a broker that no route named yet */
    @Nullable
    BrokerAddress address(int broker) {
        return addresses.get(broker);
    }

    BrokerAddress known(TopicPartition partition) {
        BrokerAddress address = address(partition.broker());
        if (address == null) {
            throw Failures.local(
                    "no address is known of broker " + partition.broker() + " with partition " + partition);
        }
        return address;
    }

    Link link(BrokerAddress address, Purpose purpose) {
        return transport.link(address.host(), address.port(), purpose);
    }

    Link link(TopicPartition partition, Purpose purpose) {
        return link(known(partition), purpose);
    }

    boolean isLocal(int broker) {
        BrokerAddress address = address(broker);
        return address != null && local.computeIfAbsent(address, a -> LocalAddresses.isLocal(a.host()));
    }
}
