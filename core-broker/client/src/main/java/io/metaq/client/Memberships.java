package io.metaq.client;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses how a consumer gets its partitions. */
final class Memberships {

    private static final Logger LOG = LoggerFactory.getLogger(Memberships.class);

    private Memberships() {}

    static GroupMembership join(ClientCore core, ConsumerBuilder settings, GroupMembership.Listener listener) {
        if (settings.partitions != null) {
            return new FixedPartitions(core, settings.partitions, settings.listeners.keySet(), listener).start();
        }
        if (!settings.balanced) {
            return new AllPartitions(core, settings.listeners.keySet(), listener).start();
        }
        String member = settings.memberName == null ? newName(settings.group) : settings.memberName;
        Cluster cluster = core.cluster();
        if (cluster != null) {
            core.nodes();
            return cluster.join(
                    settings.group,
                    member,
                    settings.listeners.keySet(),
                    settings.balanceRule,
                    new SeenAddresses(core, listener));
        }
        BrokerAddress old = ConsumerOffsets.oldBroker(core);
        if (old != null) {
            throw Failures.needsModern("a balanced group (use zookeeper(...) or balanced(false))", old);
        }
        return new BrokerGroup(core, settings.group, member, settings.listeners.keySet(), listener).start();
    }

    /** As 1.4 named its members: group, host, process, and something random. */
    private static String newName(String group) {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostAddress();
        } catch (UnknownHostException e) {
            LOG.debug("this machine does not know its address", e);
            host = "unknown";
        }
        String random = UUID.randomUUID().toString().substring(0, 8);
        return group + "_" + host + "-" + ProcessHandle.current().pid() + "-" + random;
    }
}
