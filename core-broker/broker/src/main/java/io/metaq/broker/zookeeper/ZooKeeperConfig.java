package io.metaq.broker.zookeeper;

/**
 * Where ZooKeeper is and how long to wait for it.
 *
 * @param connect {@code host:port[,host:port...]}
 * @param root the node under which all of MetaQ lives; stored with one leading and no trailing slash
 * @param sessionTimeoutMs how long the broker stays registered after it has gone silent
 * @param connectionTimeoutMs how long the start waits for a connection before it goes on without one (at most 25 s count)
 */
public record ZooKeeperConfig(String connect, String root, int sessionTimeoutMs, int connectionTimeoutMs) {
    public static final String DEFAULT_ROOT = "/meta";
    public static final int DEFAULT_TIMEOUT_MS = 30_000;

    public ZooKeeperConfig {
        String bare = root;
        while (bare.endsWith("/")) {
            bare = bare.substring(0, bare.length() - 1);
        }
        root = bare.isEmpty() || bare.startsWith("/") ? bare : "/" + bare;
    }

    public static ZooKeeperConfig of(String connect) {
        return new ZooKeeperConfig(connect, DEFAULT_ROOT, DEFAULT_TIMEOUT_MS, DEFAULT_TIMEOUT_MS);
    }
}
