package io.metaq.benchmarks.peer.artemis;

import io.metaq.benchmarks.jms.JmsPeer;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.activemq.artemis.jms.client.ActiveMQXAConnectionFactory;

/** Argument: the broker's {@code host:port}. */
final class ArtemisPeer extends JmsPeer {

    private ArtemisPeer(String server) {
        super(new ActiveMQConnectionFactory("tcp://" + server), new ActiveMQXAConnectionFactory("tcp://" + server));
    }

    public static void main(String[] args) throws Exception {
        serve(new ArtemisPeer(args[0]));
    }
}
