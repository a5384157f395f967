package io.metaq.client;

import io.metaq.client.net.LinkSettings;
import io.metaq.client.net.Transport.Purpose;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The producer that all {@link SharedSends} with equal settings have in common for one broker; it ends with the last of them. */
final class CommonProducer {

    private static final Map<Key, CommonProducer> COMMON = new HashMap<>();

    /** Whose messages may be in one batch. */
    private record Key(
            LinkSettings links,
            BrokerAddress server,
            Duration timeout,
            Durability durability,
            int maxBatchBytes,
            int maxInFlightBatches,
            boolean idempotent) {}

    /** For a batch whose last message has just been told its outcome; nothing else of it is of use to anybody. */
    private static final Duration ENDING = Duration.ofMillis(100);

    private final Key key;
    private final ClientCore core;
    private final BatchingProducer producer;

    /** Guarded by {@link #COMMON}. */
    private int users;

    private CommonProducer(Key key, MetaqClientBuilder client, ProducerBuilder settings) {
        this.key = key;
        this.core = new ClientCore(client.forServer(key.server), null);
        this.producer = new BatchingProducer(core, settings.withoutLimit(core));
    }

    /** Each user {@link #release releases} it once. */
    static CommonProducer acquire(MetaqClientBuilder client, ProducerBuilder settings, BrokerAddress server) {
        Key key = new Key(
                client.linkSettings(),
                server,
                settings.timeout,
                settings.durability,
                settings.maxBatchBytes,
                settings.maxInFlightBatches,
                settings.idempotent);
        synchronized (COMMON) {
            CommonProducer common = COMMON.get(key);
            if (common == null) {
                common = new CommonProducer(key, client, settings);
                COMMON.put(key, common);
            }
            common.users++;
            return common;
        }
    }

    /** Whatever its id was before: the broker behind an address may be another one now. */
    BatchingProducer to(int broker) {
        if (core.brokers().address(broker) == null) {
            core.brokers().seen(new BrokerNode(broker, key.server));
        }
        return producer;
    }

    /** Where its answers come. */
    EventLoop loop() {
        return core.brokers().link(key.server, Purpose.PRODUCE).loop();
    }

    BatchingProducer producer() {
        return producer;
    }

    void release() {
        synchronized (COMMON) {
            if (--users > 0) {
                return;
            }
            COMMON.remove(key);
        }
        producer.close(ENDING);
        core.close();
    }
}
