package io.metaq.tck.joram;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.ConfigException;
import io.metaq.broker.config.Settings;
import io.metaq.client.MetaqClient;
import io.metaq.client.TopicNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The broker of all tests of this process; it ends with the process. */
final class OneBroker {
    private static final OneBroker INSTANCE = new OneBroker();

    private final Broker broker;
    private final MetaqClient client;

    private OneBroker() {
        try {
            Path data = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "broker");
            broker = Broker.start(BrokerConfig.builder()
                    .set(Settings.SERVER_PORT, 0)
                    .set(Settings.DATA_PATH, data.toString())
                    .set(Settings.DISK_WATERMARK_BYTES, 0L)
                    .build());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ConfigException e) {
            throw new IllegalStateException(e);
        }
        client = MetaqClient.builder().servers("127.0.0.1:" + broker.port()).build();
    }

    static OneBroker get() {
        return INSTANCE;
    }

    String uri() {
        return "metaq://127.0.0.1:" + broker.port();
    }

    /** Deletes a destination with all that it holds, if it was ever used. */
    void delete(String destination) {
        try {
            client.admin().deleteTopic(destination);
        } catch (TopicNotFoundException e) {
            return; // created, but no message and no consumer ever came: nothing to delete
        }
    }
}
