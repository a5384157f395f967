package io.metaq.tck.jakarta;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.ConfigException;
import io.metaq.broker.config.Settings;
import io.metaq.broker.security.UsersFile;
import io.metaq.client.MetaqClient;
import io.metaq.client.TopicNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The broker of this process; it ends with the process. User {@code j2ee} and nobody at all may connect, others not. */
final class OneBroker {
    private static final OneBroker INSTANCE = new OneBroker();

    private final Broker broker;
    private final MetaqClient client;

    private OneBroker() {
        try {
            Path directory = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "broker");
            Path users = directory.resolve("users");
            new UsersFile(users).put("j2ee", "j2ee".toCharArray());
            broker = Broker.start(BrokerConfig.builder()
                    .set(Settings.SERVER_PORT, 0)
                    .set(Settings.DATA_PATH, directory.resolve("data").toString())
                    .set(Settings.USERS_FILE, users.toString())
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

    /** Deletes all destinations, with their messages and their subscriptions. */
    void clear() {
        client.admin().listTopics("*").forEach(topic -> delete(topic.name()));
    }

    private void delete(String topic) {
        try {
            client.admin().deleteTopic(topic);
        } catch (TopicNotFoundException e) {
            return; // a temporary one, which went with its connection meanwhile
        }
    }
}
