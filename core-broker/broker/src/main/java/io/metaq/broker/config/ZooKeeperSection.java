package io.metaq.broker.config;

import java.nio.file.Path;

/** The [zookeeper] section. */
public final class ZooKeeperSection {
    private final SettingValues values;
    private final Path dataPath;

    ZooKeeperSection(SettingValues values, Path dataPath) {
        this.values = values;
        this.dataPath = dataPath;
    }

    /** Whether the broker registers itself: an external ZooKeeper, or the embedded one. */
    public boolean enabled() {
        return get(Settings.ZK_ENABLE);
    }

    /** {@code host:port[,host:port...]}; of no meaning when {@link #embedded()}. */
    public String connect() {
        return get(Settings.ZK_CONNECT);
    }

    /** With a leading slash and without a trailing one, as in 1.4. */
    public String root() {
        String path = get(Settings.ZK_ROOT);
        String withLeading = path.startsWith("/") ? path : "/" + path;
        return withLeading.endsWith("/") ? withLeading.substring(0, withLeading.length() - 1) : withLeading;
    }

    public int sessionTimeoutMs() {
        return get(Settings.ZK_SESSION_TIMEOUT);
    }

    public int connectionTimeoutMs() {
        return get(Settings.ZK_CONNECTION_TIMEOUT);
    }

    /** Whether the broker starts a ZooKeeper server inside itself and registers there. */
    public boolean embedded() {
        return get(Settings.ZK_EMBEDDED);
    }

    /** 0 = any free port. */
    public int embeddedPort() {
        return get(Settings.ZK_EMBEDDED_PORT);
    }

    public Path embeddedDataPath() {
        String path = get(Settings.ZK_EMBEDDED_DATA_PATH);
        return path.isEmpty() ? dataPath.resolve("zookeeper") : Path.of(path);
    }

    SettingValues values() {
        return values;
    }

    /** The value of one of {@link Settings#zookeeper()}. */
    public <T> T get(Setting<T> setting) {
        return values.get(setting);
    }
}
