package io.metaq.broker;

import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.Settings;
import io.metaq.testkit.vector.VectorFile;
import io.metaq.testkit.vector.VectorRunner;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The conversations of the protocol document, held with a live broker over a socket. */
class BrokerVectorTest {
    @TempDir
    Path dir;

    @Test
    void shouldAnswerAsTheVectorsSay() throws Exception {
        BrokerConfig config = BrokerConfig.builder()
                .dataPath(dir)
                .serverPort(0)
                .set(Settings.BROKER_ID, 7)
                .set(Settings.NUM_PARTITIONS, 2)
                .topic("test", 2)
                .topic("gc", 2)
                .build();
        try (Broker broker = Broker.start(config)) {
            VectorRunner.run(VectorFile.repositoryDirectory(), "127.0.0.1", broker.port());
        }
    }
}
