package io.metaq.tck.metaq14;

import com.taobao.metamorphosis.Message;
import com.taobao.metamorphosis.client.MetaClientConfig;
import com.taobao.metamorphosis.client.XAMetaMessageSessionFactory;
import com.taobao.metamorphosis.client.consumer.ConsumerConfig;
import com.taobao.metamorphosis.client.consumer.MessageConsumer;
import com.taobao.metamorphosis.client.producer.MessageProducer;
import com.taobao.metamorphosis.client.producer.SendMessageCallback;
import com.taobao.metamorphosis.client.producer.SendResult;
import com.taobao.metamorphosis.utils.ZkUtils.ZKConfig;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The original client. Argument: the ZooKeeper to find brokers through, {@code zk=HOST:PORT}, or the one broker to talk to,
 * {@code direct=HOST:PORT}.
 *
 * <ul>
 *   <li>{@code publish TOPIC}
 *   <li>{@code send TOPIC DATA ATTRIBUTE}, {@code callback TOPIC DATA ATTRIBUTE}: answer {@code PARTITION OFFSET}, or the
 *       values {@code failed TEXT} when the client said that sending failed
 *   <li>{@code consume TOPIC GROUP}: from then on {@code * message TOPIC PARTITION ID DATA ATTRIBUTE}
 *   <li>{@code browse TOPIC}: every message's data
 *   <li>{@code partitions TOPIC}: every partition, as {@code BROKER-PARTITION}
 *   <li>{@code stats ITEM}: {@code KEY VALUE} pairs of all brokers
 *   <li>{@code begin SECONDS}, {@code commit}, {@code rollback}: a local transaction around what {@code send} sends
 *   <li>{@code branches TOPIC}, then {@code branch STEP NUMBER} and {@code branch-send TOPIC DATA ATTRIBUTE}: global ones, see {@link
 *       OriginalBranches#step}
 *   <li>{@code shutdown}
 * </ul>
 */
public final class OriginalClient {
    private static final int FETCH_SIZE = 64 * 1024;
    private static final int ZOOKEEPER_TIMEOUT_MS = 10_000;
    private static final int REBALANCE_PAUSE_MS = 300;

    private final DriverLoop loop = new DriverLoop();
    private final XAMetaMessageSessionFactory factory;
    private final List<MessageConsumer> consumers = new ArrayList<>();
    private @Nullable MessageProducer producer;
    private @Nullable OriginalBranches branches;

    private OriginalClient(MetaClientConfig config) throws Exception {
        factory = new XAMetaMessageSessionFactory(config);
    }

    public static void main(String[] arguments) throws Exception {
        var client = new OriginalClient(config(arguments[0]));
        client.loop.event("started");
        client.loop.run((verb, values) -> client.handle(verb, values));
        Runtime.getRuntime().halt(0);
    }

    private static MetaClientConfig config(String address) {
        var config = new MetaClientConfig();
        String[] kindAndPlace = address.split("=");
        if (kindAndPlace[0].equals("direct")) {
            config.setServerUrl("meta://" + kindAndPlace[1]);
        } else {
            config.setZkConfig(
                    new ZKConfig(kindAndPlace[1], ZOOKEEPER_TIMEOUT_MS, ZOOKEEPER_TIMEOUT_MS, REBALANCE_PAUSE_MS));
        }
        return config;
    }

    private List<? extends @Nullable Object> handle(String verb, List<@Nullable String> values) throws Exception {
        switch (verb) {
            case "publish" -> producer().publish(values.get(0));
            case "consume" -> consume(argument(values, 0), argument(values, 1));
            case "shutdown" -> factory.shutdown();
            case "begin" -> {
                producer().setTransactionTimeout(Integer.parseInt(argument(values, 0)));
                producer().beginTransaction();
            }
            case "commit" -> producer().commit();
            case "rollback" -> producer().rollback();
            case "branches" -> branches = new OriginalBranches(factory, argument(values, 0));
            case "branch" -> {
                return Objects.requireNonNull(branches)
                        .step(argument(values, 0), Integer.parseInt(argument(values, 1)));
            }
            case "branch-send" -> {
                return result(Objects.requireNonNull(branches).send(message(values)));
            }
            case "send" -> {
                return result(producer().sendMessage(message(values)));
            }
            case "callback" -> {
                return sendWithCallback(message(values));
            }
            case "browse" -> {
                return browse(argument(values, 0));
            }
            case "partitions" -> {
                return factory.getPartitionsForTopic(argument(values, 0));
            }
            case "stats" -> {
                return stats(values.get(0));
            }
            default -> throw new IllegalArgumentException("no such request: " + verb);
        }
        return List.of();
    }

    private MessageProducer producer() {
        if (producer == null) {
            producer = factory.createProducer();
        }
        return producer;
    }

    private List<Object> sendWithCallback(Message message) throws Exception {
        var answer = new CompletableFuture<SendResult>();
        producer().sendMessage(message, new SendMessageCallback() {
            @Override
            public void onMessageSent(SendResult result) {
                answer.complete(result);
            }

            @Override
            public void onException(Throwable failure) {
                answer.completeExceptionally(failure);
            }
        });
        return result(answer.get(10, TimeUnit.SECONDS));
    }

    private void consume(String topic, String group) throws Exception {
        var config = new ConsumerConfig(group);
        config.setMaxDelayFetchTimeInMills(100);
        config.setCommitOffsetPeriodInMills(300);
        var consumer = factory.createConsumer(config);
        consumers.add(consumer);
        consumer.subscribe(topic, FETCH_SIZE, new ReportingListener(loop)).completeSubscribe();
    }

    private List<String> browse(String topic) throws Exception {
        var browser = factory.createTopicBrowser(topic, FETCH_SIZE, 5, TimeUnit.SECONDS);
        List<String> found = new ArrayList<>();
        browser.iterator().forEachRemaining(m -> found.add(new String(m.getData(), StandardCharsets.UTF_8)));
        browser.shutdown();
        return found;
    }

    private List<Object> stats(@Nullable String item) throws InterruptedException {
        List<Object> values = new ArrayList<>();
        for (var one : (item == null ? factory.getStats() : factory.getStats(item)).values()) {
            one.getAllValues().forEach((key, value) -> values.addAll(Arrays.asList(key, value)));
        }
        return values;
    }

    private static List<Object> result(SendResult result) {
        return result.isSuccess()
                ? List.of(result.getPartition(), result.getOffset())
                : List.of("failed", result.getErrorMessage());
    }

    private static Message message(List<@Nullable String> values) {
        byte[] data = argument(values, 1).getBytes(StandardCharsets.UTF_8);
        String attribute = values.get(2);
        return attribute == null
                ? new Message(argument(values, 0), data)
                : new Message(argument(values, 0), data, attribute);
    }

    private static String argument(List<@Nullable String> values, int at) {
        return Objects.requireNonNull(values.get(at));
    }
}
