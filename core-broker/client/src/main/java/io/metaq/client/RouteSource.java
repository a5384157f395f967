package io.metaq.client;

import java.util.List;

/**
 * Knows which brokers there are and where topics live: asked from the brokers themselves, or from ZooKeeper. Implementations are
 * safe for use by several threads.
 */
public interface RouteSource extends AutoCloseable {

    /** What a route is wanted for: a topic can be closed for one and open for the other. */
    enum Use {
        PUBLISH,
        SUBSCRIBE
    }

    /** Told about new routes, on a thread of the source; must not block. */
    @FunctionalInterface
    interface Listener {
        void changed(Route route);
    }

    /** The brokers known now, sorted by id; one address per id (a master's). May block for the first contact. */
    List<BrokerNode> brokers();

    /**
     * The route now. May block; never on a network thread.
     *
     * @return without entries when no broker has the topic
     * @throws MetaqException when it cannot be told (nobody answers)
     */
    Route route(String topic, Use use);

    /**
     * Tells changes from now on until the returned handle is closed. The listener is not told the present route.
     *
     * @return its close never blocks and throws nothing
     */
    Watch watch(String topic, Use use, Listener listener);

    /** Ends a watch. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    /** Within two seconds, whatever the servers do. */
    @Override
    void close();
}
