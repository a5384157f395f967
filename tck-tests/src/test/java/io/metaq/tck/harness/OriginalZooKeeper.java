package io.metaq.tck.harness;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/** ZooKeeper 3.4.3 in a process of its own. */
public final class OriginalZooKeeper implements AutoCloseable {
    private final Driver driver;
    private final int port;

    private OriginalZooKeeper(Driver driver) {
        this.driver = driver;
        this.port = Integer.parseInt(
                Objects.requireNonNull(driver.nextEvent(Duration.ofSeconds(30)).get(1)));
    }

    public static OriginalZooKeeper start(Path directory) {
        return new OriginalZooKeeper(Driver.start("OriginalZooKeeper", directory.toString()));
    }

    /** {@code HOST:PORT}. */
    public String address() {
        return "127.0.0.1:" + port;
    }

    @Override
    public void close() {
        driver.close();
    }
}
