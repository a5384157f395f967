package io.metaq.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.Broker;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.Settings;
import io.metaq.client.MetaqClient;
import io.metaq.client.subscription.AttachedConsumer;
import io.metaq.client.subscription.Attachment;
import io.metaq.client.subscription.Delivery;
import io.metaq.client.subscription.DeliveryHandler;
import io.metaq.client.subscription.SubscriberLink;
import io.metaq.client.subscription.SubscriberListener;
import io.metaq.client.subscription.TransactionParts;
import io.metaq.message.HeaderField;
import io.metaq.message.MessageBody;
import io.metaq.message.MessageFlags;
import io.metaq.message.PropertyBlockWriter;
import io.metaq.protocol.AttachKind;
import io.metaq.protocol.Ranges;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands about queues and subscriptions, against a real broker in this process. Every test has destinations of its own. */
class SubscriptionCommandsTest {
    @TempDir
    private static Path dir;

    private static Broker broker;
    private static MetaqClient client;
    private static SubscriberLink link;

    @BeforeAll
    static void startBroker() throws Exception {
        broker = Broker.start(BrokerConfig.builder()
                .dataPath(dir.resolve("data"))
                .serverPort(0)
                .set(Settings.JOURNAL_SEGMENT_SIZE, 34 << 20)
                .set(Settings.DISK_WATERMARK_BYTES, 0L)
                .set(Settings.UNFLUSH_THRESHOLD, 1)
                .build());
        client = MetaqClient.builder().servers(server()).build();
        link = client.subscriber(new Unconcerned());
        await(link.ready());
    }

    @AfterAll
    static void stopBroker() {
        link.close();
        client.close();
        broker.close();
    }

    @Test
    void shouldLookAfterAQueue() {
        assertThat(run("queue", "create", "care", "--set", "maxDeliveries=3").out())
                .isEqualToIgnoringNewLines("created queue care");
        produce("care", "a\nb\n");
        assertThat(run("topic", "describe", "care").out())
                .contains("  kind queue", "  maxDeliveries 3", "  set kind queue", "  set maxDeliveries 3");

        assertThat(run("queue", "list", "care").out()).containsPattern("(?m)^care +0 +2$");
        assertThat(run("queue", "describe", "care").out()).startsWith("queue care on 127.0.0.1:");
        CommandRun unsure = run("queue", "purge", "care");
        assertThat(unsure.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(unsure.err()).contains("this would drop the 2 messages of queue care for good; add --yes");
        assertThat(run("queue", "purge", "care", "--yes").exitCode()).isZero();
        assertThat(run("queue", "list", "care").out()).containsPattern("(?m)^care +0 +0$");
        assertThat(run("queue", "delete", "care").exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(run("queue", "delete", "care", "--yes").exitCode()).isZero();
        assertThat(run("queue", "list", "care").out()).doesNotContain("care");
    }

    @Test
    void shouldBrowseWithoutTaking() {
        run("queue", "create", "look");
        produce("look", "plain\n");
        send("look", "eu", "first of the union");
        send("look", "us", "second");

        String all = run("queue", "browse", "look").out();

        assertThat(all.lines()).hasSize(4);
        assertThat(all).contains("plain", "[order] {region=eu} first of the union", "ID:eu", " text ");
        assertThat(run("queue", "browse", "look").out()).isEqualTo(all);
        assertThat(run("queue", "browse", "look", "--selector", "region = 'us'").out())
                .contains("second")
                .doesNotContain("union", "plain");
        assertThat(run("queue", "browse", "look", "--max", "1", "--preview", "3")
                        .out())
                .contains("pla...")
                .doesNotContain("union");
        CommandRun wrong = run("queue", "browse", "look", "--selector", "region =");
        assertThat(wrong.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(wrong.err()).startsWith("metaq: ").doesNotContain("\tat ");
    }

    @Test
    void shouldMoveSomeMessages() {
        run("queue", "create", "from");
        run("queue", "create", "to");
        produce("from", "1\n2\n3\n");
        send("from", "eu", "x");

        assertThat(run("queue", "move", "from", "--to", "to", "--count", "2").out())
                .isEqualToIgnoringNewLines("moved 2 messages from queue from to to");
        assertThat(run("queue", "move", "from", "--to", "to", "--selector", "region = 'eu'")
                        .out())
                .contains("moved 1 messages");

        assertThat(run("queue", "list", "from").out()).containsPattern("(?m)^from +0 +1$");
        send("from", "us", "y");
        String third =
                run("queue", "browse", "from").out().lines().skip(1).findFirst().orElseThrow();
        String number = third.split(" +")[5];
        assertThat(run("queue", "move", "from", "--to", "to", "--id", "ID:us").out())
                .contains("moved 1 messages");
        assertThat(run("queue", "move", "from", "--to", "to", "--id", number).out())
                .contains("moved 1 messages");
        assertThat(run("queue", "list", "from").out()).containsPattern("(?m)^from +0 +0$");
        assertThat(run("queue", "browse", "to").out()).contains("1", "2", "{region=eu");
    }

    @Test
    void shouldPutDeadLettersBack() {
        run("queue", "create", "mortal", "--set", "deadLetterQueue=graves", "--set", "maxDeliveries=1");
        produce("mortal", "x\n");
        Consumer consumer = new Consumer("queue:mortal", "mortal", AttachKind.QUEUE);
        Delivery failed = consumer.next();
        await(consumer.attached.reject(Ranges.of(failed.partition(), failed.offset(), failed.endOffset()), -1));
        await(consumer.attached.detach(Ranges.none()));

        assertThat(run("queue", "list", "graves").out()).containsPattern("(?m)^graves +0 +1$");
        assertThat(run("queue", "list", "mortal").out()).containsPattern("(?m)^mortal +0 +0$");
        assertThat(run("queue", "redrive", "graves").out()).startsWith("moved 1 dead letters of queue graves");
        assertThat(run("queue", "list", "mortal").out()).containsPattern("(?m)^mortal +0 +1$");
        assertThat(run("queue", "list", "graves").out()).containsPattern("(?m)^graves +0 +0$");
    }

    @Test
    void shouldLookAfterASubscription() {
        run("topic", "create", "news");
        produce("news", "before\n");
        assertThat(run("subscription", "create", "durable:app:all of it", "--topic", "news", "--from", "first")
                        .exitCode())
                .isZero();
        assertThat(run("subscription", "create", "durable:app:later", "--topic", "news")
                        .exitCode())
                .isZero();
        produce("news", "after\n");

        assertThat(run("subscription", "list", "--topic", "news").out())
                .containsPattern("(?m)^durable:app:all of it +news +durable +0 +2$")
                .containsPattern("(?m)^durable:app:later +news +durable +0 +1$");
        assertThat(run("subscription", "browse", "durable:app:later").out())
                .contains("after")
                .doesNotContain("before");
        run("subscription", "seek", "durable:app:later", "--to", "first");
        assertThat(run("subscription", "browse", "durable:app:later").out()).contains("before", "after");
        run("subscription", "purge", "durable:app:later", "--yes");
        assertThat(run("subscription", "list", "durable:app:later").out()).containsPattern("durable +0 +0");

        assertThat(run("subscription", "pause", "durable:app:all of it").exitCode())
                .isZero();
        assertThat(run("why", "news").out())
                .containsPattern("(?m)^subscription durable:app:all of it: .*paused")
                .containsPattern("(?m)^subscription durable:app:later: ");
        assertThat(run("subscription", "resume", "durable:app:all of it").exitCode())
                .isZero();
        assertThat(run("subscription", "delete", "durable:app:later").exitCode())
                .isEqualTo(ExitCode.FAILED);
        assertThat(run("subscription", "delete", "durable:app:later", "--yes").exitCode())
                .isZero();
        assertThat(run("subscription", "list", "--topic", "news").out()).doesNotContain("later");
    }

    @Test
    void shouldSayWhyNothingComes() {
        run("queue", "create", "silent");
        assertThat(reason("silent")).contains("no messages");

        produce("silent", "x\n");
        assertThat(reason("silent")).contains("no consumer");

        Consumer consumer = new Consumer("queue:silent", "silent", AttachKind.QUEUE);
        assertThat(reason("silent")).contains("credit");

        consumer.next();
        assertThat(reason("silent")).contains("leased");
        await(consumer.attached.detach(Ranges.none()));

        assertThat(run("why", "silent", "--selector", "colour = 'red'").out()).contains("selector");
        run("topic", "create", "unheard");
        assertThat(run("why", "unheard").out()).contains("topic unheard has no subscription");
    }

    @Test
    void shouldNameWhatHoldsAMessageBack() {
        run("queue", "create", "later");
        send("later", new PropertyBlockWriter().header(HeaderField.DELIVERY_TIME, 4_000_000_000_000L));
        assertThat(reason("later"))
                .startsWith("delayed: 1 messages are not due, the next one is at 2096-10-02T07:06:40Z");

        run("queue", "create", "old");
        send("old", new PropertyBlockWriter().header(HeaderField.EXPIRATION, 1L));
        assertThat(reason("old")).matches("(expired|no messages): .*"); // a sweep may have been faster

        run("queue", "create", "held");
        produce("held", "x\n");
        run("subscription", "pause", "queue:held");
        assertThat(reason("held")).startsWith("paused: ");

        run("topic", "close", "held", "--for", "subscribe");
        run("subscription", "resume", "queue:held");
        assertThat(reason("held")).startsWith("closed: ");
    }

    @Test
    void shouldNameTheConsumerThatAGroupIsPinnedTo() {
        run("queue", "create", "grouped");
        send("grouped", new PropertyBlockWriter().header(HeaderField.GROUP_ID, "g"));
        Consumer first = new Consumer("queue:grouped", "grouped", AttachKind.QUEUE);
        first.next();
        send("grouped", new PropertyBlockWriter().header(HeaderField.GROUP_ID, "g"));
        Consumer second = new Consumer("queue:grouped", "grouped", AttachKind.QUEUE);
        second.attached.credit(10, 1 << 20);

        assertThat(reason("grouped"))
                .startsWith("message groups: 1 messages wait for the consumer that has their group");
        assertThat(second.messages).isEmpty();
        await(first.attached.detach(Ranges.none()));
        await(second.attached.detach(Ranges.none()));
    }

    private static String reason(String queue) {
        return run("why", queue).out().lines().findFirst().orElse("");
    }

    @Test
    void shouldSayWhatIsNotThere() {
        for (List<String> command : List.of(
                List.of("queue", "purge", "nowhere", "--yes"),
                List.of("queue", "describe", "nowhere"),
                List.of("queue", "browse", "nowhere"),
                List.of("subscription", "pause", "nowhere"),
                List.of("why", "nowhere"))) {
            CommandRun run = run(command.toArray(String[]::new));

            assertThat(run.exitCode()).as("%s", command).isEqualTo(ExitCode.FAILED);
            assertThat(run.err()).startsWith("metaq: ").contains("nowhere").doesNotContain("\tat ");
        }
        assertThat(run("queue", "seek", "nowhere", "--to", "tomorrow").exitCode())
                .isEqualTo(ExitCode.USAGE);
    }

    private static void send(String queue, String region, String text) {
        PropertyBlockWriter block = new PropertyBlockWriter()
                .header(HeaderField.MESSAGE_ID, "ID:" + region)
                .header(HeaderField.TYPE, "order")
                .header(HeaderField.BODY_KIND, (byte) 1)
                .property("region", region);
        send(queue, block, text);
    }

    private static void send(String queue, PropertyBlockWriter block) {
        send(queue, block, "text");
    }

    private static void send(String queue, PropertyBlockWriter block, String text) {
        byte[] body = MessageBody.join(block.toBytes(), MessageBody.encodeText(text));
        int flag = MessageFlags.withBlock(0, block.flags());
        await(link.transact(new TransactionParts().send(queue, 0, flag, body)));
    }

    private static void produce(String topic, String lines) {
        List<String> command = List.of("produce", topic, "--server", server());
        assertThat(CommandRun.withInput(lines.getBytes(UTF_8), command.toArray(String[]::new))
                        .exitCode())
                .isZero();
    }

    private static CommandRun run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--server", server()));
        return CommandRun.of(all.toArray(String[]::new));
    }

    private static String server() {
        return "127.0.0.1:" + broker.port();
    }

    private static <T> T await(CompletableFuture<T> answer) {
        return answer.orTimeout(20, TimeUnit.SECONDS).join();
    }

    /** A consumer that takes messages one by one. */
    private static final class Consumer implements DeliveryHandler {
        private final Queue<Delivery> messages = new ConcurrentLinkedQueue<>();
        private final AttachedConsumer attached;

        Consumer(String name, String topic, AttachKind kind) {
            attached = await(link.attach(new Attachment(name, topic, kind, null, false, null), this));
        }

        Delivery next() {
            assertThat(await(attached.drain(1))).isEqualTo(1);
            return messages.remove();
        }

        @Override
        public void delivered(Delivery message) {
            messages.add(message);
        }

        @Override
        public void reset() {
            messages.clear();
        }

        @Override
        public void detached(String reason) {
            messages.clear();
        }
    }

    private static final class Unconcerned implements SubscriberListener {
        @Override
        public void interrupted(RuntimeException cause) {
            // the next call tells
        }

        @Override
        public void resumed() {
            // the next call tells
        }

        @Override
        public void failed(RuntimeException cause) {
            // the next call tells
        }
    }
}
