package io.metaq.benchmarks.metaq;

import io.metaq.benchmarks.jms.JmsPeer;
import io.metaq.jms.MetaQConnectionFactory;
import io.metaq.jms.MetaQXAConnectionFactory;

/** MetaQ through its JMS provider. Argument: the broker's {@code host:port}. */
final class MetaqJmsPeer extends JmsPeer {

    private MetaqJmsPeer(String server) {
        super(new MetaQConnectionFactory("metaq://" + server), new MetaQXAConnectionFactory("metaq://" + server));
    }

    public static void main(String[] args) throws Exception {
        serve(new MetaqJmsPeer(args[0]));
    }
}
