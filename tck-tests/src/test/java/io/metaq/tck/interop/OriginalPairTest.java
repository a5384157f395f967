package io.metaq.tck.interop;

import io.metaq.tck.harness.OriginalBroker;
import io.metaq.tck.harness.OriginalZooKeeper;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The original client against the original broker: shows that what {@link OriginalClientUse} asks for was so. */
class OriginalPairTest {
    @TempDir
    Path directory;

    @Test
    void shouldDoWithItsOwnBrokerWhatWeAskOfItWithOurs() {
        try (var zooKeeper = OriginalZooKeeper.start(directory.resolve("zk"));
                var broker = OriginalBroker.start(directory.resolve("broker"), zooKeeper.address(), "orders", "kept")) {
            OriginalClientUse.sendAndConsumeInAGroup(zooKeeper.address());
            OriginalClientUse.browseAndCount(zooKeeper.address());
        }
    }
}
