package io.metaq.client;

import java.time.Duration;

/**
 * Opens a {@link Cluster}. Found by {@link java.util.ServiceLoader} only when {@link MetaqClientBuilder#zookeeper} was called, so that
 * an application without it needs no ZooKeeper classes.
 */
public interface ClusterProvider {

    /**
     * Connects.
     *
     * @param connect {@code host:port[,host:port...]}
     * @param root path under which MetaQ keeps its nodes, usually {@code /meta}
     * @param sessionTimeout of the service's session
     * @param connectTimeout how long to wait for the first connection
     * @param encrypted whether brokers are to be reached by TLS: those that registered no port for it are left out
     * @throws MetaqException when no server answers within {@code connectTimeout}
     */
    Cluster open(String connect, String root, Duration sessionTimeout, Duration connectTimeout, boolean encrypted);
}
