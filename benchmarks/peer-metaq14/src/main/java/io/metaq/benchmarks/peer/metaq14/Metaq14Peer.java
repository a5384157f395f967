package io.metaq.benchmarks.peer.metaq14;

import com.taobao.metamorphosis.Message;
import com.taobao.metamorphosis.client.MessageSessionFactory;
import com.taobao.metamorphosis.client.MetaClientConfig;
import com.taobao.metamorphosis.client.MetaMessageSessionFactory;
import com.taobao.metamorphosis.client.consumer.ConsumerConfig;
import com.taobao.metamorphosis.client.consumer.MessageConsumer;
import com.taobao.metamorphosis.client.consumer.MessageListener;
import com.taobao.metamorphosis.client.producer.MessageProducer;
import com.taobao.metamorphosis.utils.ZkUtils.ZKConfig;
import io.metaq.benchmarks.driver.Driver;
import io.metaq.benchmarks.driver.Job;
import io.metaq.benchmarks.driver.MessageSink;
import io.metaq.benchmarks.driver.Peer;
import io.metaq.benchmarks.driver.Receiver;
import io.metaq.benchmarks.driver.Sender;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Argument: the ZooKeeper's {@code host:port}. */
final class Metaq14Peer implements Peer {

    private static final int FETCH_BYTES = 1 << 20;

    private final MessageSessionFactory sessions;

    private Metaq14Peer(String zookeeper) throws Exception {
        ZKConfig zookeeperConfig = new ZKConfig(zookeeper, 30_000, 30_000, 5_000);
        MetaClientConfig config = new MetaClientConfig();
        config.setZkConfig(zookeeperConfig);
        this.sessions = new MetaMessageSessionFactory(config);
    }

    public static void main(String[] args) throws Exception {
        Driver.serve(new Metaq14Peer(args[0]));
    }

    /** Nothing to do: topics stand in the broker's configuration. */
    @Override
    public void createTopic(Job job) {}

    /** It has no command for that. */
    @Override
    public void deleteTopic(Job job) {}

    @Override
    public Sender openSender(Job job) throws Exception {
        MessageProducer producer = sessions.createProducer();
        producer.publish(job.topic());
        return new Metaq14Sender(job.topic(), producer);
    }

    @Override
    public Receiver openReceiver(Job job, MessageSink sink) throws Exception {
        ConsumerConfig config = new ConsumerConfig("bench-" + UUID.randomUUID());
        config.setMaxDelayFetchTimeInMills(job.number("metaq14.fetchDelay", 10));
        MessageConsumer consumer = sessions.createConsumer(config);
        consumer.subscribe(job.topic(), FETCH_BYTES, new Listener(sink));
        consumer.completeSubscribe();
        return consumer::shutdown;
    }

    @Override
    public void close() throws Exception {
        sessions.shutdown();
    }

    private record Listener(MessageSink sink) implements MessageListener {

        @Override
        public void recieveMessages(Message message) {
            sink.accept(ByteBuffer.wrap(message.getData()));
        }

        @Override
        public @Nullable Executor getExecutor() {
            return null;
        }
    }
}
