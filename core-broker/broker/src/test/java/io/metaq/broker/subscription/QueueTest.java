package io.metaq.broker.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.metaq.message.HeaderField;
import io.metaq.message.PropertyBlockWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queues over the wire. */
class QueueTest {
    @TempDir
    private Path dir;

    private TestBroker broker;
    private final Inbox a = new Inbox();
    private final Inbox b = new Inbox();

    @BeforeEach
    void start() throws IOException {
        broker = new TestBroker(dir);
    }

    @AfterEach
    void stop() throws IOException {
        broker.close();
    }

    private static void awaitMessages(Inbox inbox, int count) {
        await().untilAsserted(() -> assertThat(inbox.got).hasSize(count));
    }

    @Test
    void shouldDeliverByCreditAndForgetWhatIsAcknowledged() throws IOException {
        Wire.Seat consumer = broker.connect().queue("q", a);
        broker.send("q", "1", "2", "3");
        assertThat(a.got).isEmpty();
        consumer.credit(2);
        awaitMessages(a, 2);
        assertThat(consumer.ack(a.all())).isEqualTo("200 acknowledged 2 missed 0");
        consumer.credit(5);
        awaitMessages(a, 3);
        assertThat(a.texts()).containsExactly("1", "2", "3");
        broker.restart();
        assertThat(broker.connect().queue("q", b).drain(10)).isEqualTo(1);
        assertThat(b.counted()).containsExactly("3:2");
    }

    @Test
    void shouldSeeAtOnceWhatSomebodyHasStored() {
        Wire.Seat consumer = broker.connect().queue("q", a);
        for (int i = 0; i < 50; i++) {
            broker.send("q", "m" + i);
            assertThat(consumer.drain(1)).isEqualTo(1);
        }
        assertThat(consumer.drain(1)).isZero();
        assertThat(a.got).hasSize(50);
    }

    @Test
    void shouldShareAQueueAmongConnections() {
        broker.connect().queue("q", a).credit(1000);
        broker.connect().queue("q", b).credit(1000);
        for (int i = 0; i < 100; i++) {
            broker.send("q", "m" + i);
        }
        await().untilAsserted(() -> assertThat(a.got.size() + b.got.size()).isEqualTo(100));
        assertThat(a.got.size()).isBetween(30, 70);
        assertThat(a.texts()).doesNotContainAnyElementsOf(b.texts());
    }

    @Test
    void shouldDeliverAgainWhatALostConnectionHad() throws IOException {
        Wire lost = broker.connect();
        Wire.Seat consumer = lost.queue("q", a);
        broker.send("q", "1", "2");
        consumer.credit(10);
        awaitMessages(a, 2);
        lost.close();
        broker.connect().queue("q", b).credit(10);
        awaitMessages(b, 2);
        assertThat(b.counted()).containsExactly("1:2", "2:2");
    }

    @Test
    void shouldLeaveOthersWhatASelectorDoesNotMatch() {
        broker.connect()
                .attach("queue:q", "q", "queue", Wire.selector("color = 'red'"), a)
                .credit(10);
        broker.send("q", "blue 1", new PropertyBlockWriter().property("color", "blue"));
        broker.send("q", "red 1", new PropertyBlockWriter().property("color", "red"));
        awaitMessages(a, 1);
        broker.connect().queue("q", b).credit(10);
        awaitMessages(b, 1);
        assertThat(a.texts()).containsExactly("red 1");
        assertThat(b.texts()).containsExactly("blue 1");
    }

    @Test
    void shouldRefuseWhatCannotBeAttached() {
        Wire wire = broker.connect();
        assertThatThrownBy(() -> wire.attach("queue:q", "q", "queue", Wire.selector("color ="), a))
                .hasMessageContaining("400");
        int number = wire.queue("q", a).number();
        assertThatThrownBy(() -> wire.attach("x", "q", "exclusive", "", a)).hasMessageContaining("409");
        assertThatThrownBy(() -> wire.attach("queue:other", "q", "queue", "", a))
                .hasMessageContaining("400");
        assertThat(wire.ask("attach " + number + " queue:q OPQ topic=q kind=queue"))
                .startsWith("400");
        assertThat(wire.ask("ack 99 0:0-1 OPQ")).startsWith("404");
    }

    @Test
    void shouldBrowseWhatIsThere() {
        Wire.Seat consumer = broker.connect().queue("q", a);
        broker.send("q", "1", "2", "3");
        consumer.credit(1);
        awaitMessages(a, 1);
        Wire.Seat browser = broker.connect().attach("queue:q", "q", "browse", "", b);
        assertThat(browser.drain(2)).isEqualTo(2);
        assertThat(browser.drain(2)).isEqualTo(1);
        assertThat(b.texts()).containsExactly("1", "2", "3");
    }

    @Test
    void shouldKeepTemporaryQueuesToTheirConnection() throws IOException {
        Wire owner = broker.connect();
        assertThat(owner.ask("topic create temp:x OPQ kind=temporary-queue")).startsWith("200");
        broker.send("temp:x", "1");
        Wire.Seat consumer = owner.queue("temp:x", a);
        consumer.credit(10);
        broker.send("temp:x", "2");
        awaitMessages(a, 2);
        assertThat(consumer.ack(a.all())).isEqualTo("200 acknowledged 2 missed 0");
        assertThatThrownBy(() -> broker.connect().queue("temp:x", b)).hasMessageContaining("403");
        assertThat(owner.ask("topic delete temp:x OPQ")).startsWith("409");
        assertThat(consumer.detach()).startsWith("200");
        assertThat(owner.ask("topic delete temp:x OPQ")).startsWith("200");
        assertThat(owner.ask("topic create temp:y OPQ kind=temporary-topic")).startsWith("200");
        owner.close();
        await().untilAsserted(() ->
                assertThatThrownBy(() -> broker.send("temp:y", "3")).hasMessageContaining("404"));
    }

    @Test
    void shouldCommitSendsAndAcknowledgementsAsOne() {
        Wire wire = broker.connect();
        Wire.Seat consumer = wire.queue("q", a);
        Wire.Seat out = wire.queue("out", b);
        broker.send("q", "1", "2");
        consumer.credit(10);
        awaitMessages(a, 2);
        byte[] step = transaction(
                "out",
                "x",
                consumer.number(),
                a.got.get(0).offset(),
                a.got.get(1).end());
        String head = "transact " + step.length + " OPQ producer=7 seq=0";
        assertThat(Wire.get(wire.begin(head, step))).startsWith("200");
        assertThat(out.drain(10)).isEqualTo(1);
        assertThat(Wire.get(wire.begin(head, step))).as("sent again").startsWith("200");
        assertThat(out.drain(10)).isZero();
        assertThat(Wire.get(wire.begin("transact " + step.length + " OPQ", step)))
                .startsWith("409");
        assertThat(out.drain(10)).isZero();
        assertThat(consumer.ack(a.all())).startsWith("200 acknowledged 0");
        assertThat(wire.ask("stats  OPQ")).as("counted once").contains("tx_begin 1", "tx_commit 1");
    }

    private static byte[] transaction(String topic, String text, int consumer, long from, long to) {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        CRC32 crc = new CRC32();
        crc.update(body);
        ByteBuffer parts = ByteBuffer.allocate(200)
                .put((byte) 1)
                .putShort((short) topic.length())
                .put(topic.getBytes(StandardCharsets.UTF_8))
                .putInt(0)
                .putInt(1)
                .putInt(20 + body.length)
                .putInt(body.length)
                .putInt((int) crc.getValue() & 0x7FFFFFFF)
                .putLong(0)
                .putInt(0)
                .put(body);
        parts.put((byte) 2).putInt(consumer).putInt(1).putInt(0).putLong(from).putLong(to);
        return Arrays.copyOf(parts.array(), parts.position());
    }

    @Test
    void shouldSurviveARestartWithABacklog() throws IOException {
        Wire.Seat consumer = broker.connect().queue("q", a);
        for (int i = 0; i < 50; i++) {
            broker.send("q", "m" + i);
        }
        consumer.credit(10);
        awaitMessages(a, 10);
        consumer.ack("0:" + a.got.get(0).offset() + "-" + a.got.get(4).end());
        broker.restart();
        broker.connect().queue("q", b).credit(1000);
        awaitMessages(b, 45);
        assertThat(b.counted().subList(0, 6)).containsExactly("m5:2", "m6:2", "m7:2", "m8:2", "m9:2", "m10:1");
    }

    @Test
    void shouldMoveWhatFailsTooOftenToTheDeadLetterQueueAndBack() {
        Wire wire = broker.connect();
        assertThat(wire.ask("topic create q OPQ kind=queue maxDeliveries=2")).startsWith("200");
        Wire.Seat consumer = wire.queue("q", a);
        broker.send("q", "bad");
        for (int i = 0; i < 2; i++) {
            assertThat(consumer.drain(1)).isEqualTo(1);
            assertThat(consumer.reject(a.got.get(i).range())).startsWith("200");
        }
        Wire.Seat dead = wire.queue("DLQ", b);
        await().untilAsserted(() ->
                assertThat(wire.ask("subscription describe queue:DLQ OPQ")).contains("depth 1"));
        assertThat(wire.ask("subscription redrive queue:DLQ OPQ")).isEqualTo("200 moved 1");
        assertThat(dead.drain(1)).isZero();
        assertThat(consumer.drain(1)).isEqualTo(1);
        assertThat(a.counted()).containsExactly("bad:1", "bad:2", "bad:1");
    }

    @Test
    void shouldDeliverFromAllPartitionsAndMessagesOfAnySize() {
        Wire wire = broker.connect();
        assertThat(wire.ask("topic create q OPQ kind=queue partitions=3")).startsWith("200");
        Wire.Seat consumer = wire.queue("q", a);
        byte[] large = new byte[2_000_000];
        for (int partition = 0; partition < 3; partition++) {
            for (byte[] body : new byte[][] {{'a'}, large, {'b'}}) {
                String head = "put q " + partition + " " + body.length + " 0 OPQ";
                assertThat(Wire.get(wire.begin(head, body))).startsWith("200");
            }
        }
        for (int i = 0; i < 9; i++) {
            consumer.credit(1);
        }
        awaitMessages(a, 9);
        assertThat(a.got.stream().filter(m -> m.body().length == large.length)).hasSize(3);
        assertThat(consumer.ack(a.all())).isEqualTo("200 acknowledged 9 missed 0");
        assertThat(wire.ask("subscription list * OPQ")).contains("consumers 1 depth 0");
    }

    @Test
    void shouldDetachConsumersOfADeletedQueue() {
        broker.connect().queue("q", a).credit(1);
        assertThat(broker.wire().ask("topic delete q OPQ")).startsWith("200");
        await().untilAsserted(() -> assertThat(a.detached).hasSize(1));
    }

    @Test
    void shouldDropWhatExpiresWhereNobodyConsumes() {
        assertThat(broker.wire().ask("topic create q OPQ kind=queue")).startsWith("200");
        broker.send("q", "old", new PropertyBlockWriter().property("JMS_x", 1));
        broker.send(
                "q", "old", new PropertyBlockWriter().header(HeaderField.EXPIRATION, System.currentTimeMillis() + 300));
        await().untilAsserted(() ->
                assertThat(broker.wire().ask("subscription list * OPQ")).contains("depth 1"));
    }

    @Test
    void shouldSayWhyNothingComes() {
        Wire wire = broker.connect();
        Wire.Seat consumer = wire.queue("q", a);
        assertThat(wire.ask("subscription explain queue:q OPQ")).startsWith("200 no messages");
        broker.send("q", "1", "2");
        assertThat(wire.ask("subscription explain queue:q OPQ")).startsWith("200 no credit");
        assertThat(wire.ask("subscription explain queue:q OPQ " + Wire.selector("x = 1")))
                .startsWith("200 selector");
        consumer.credit(10);
        awaitMessages(a, 2);
        assertThat(wire.ask("subscription explain queue:q OPQ")).startsWith("200 leased: 2 of 2");
        assertThat(wire.ask("subscription pause queue:q OPQ")).startsWith("200");
        assertThat(wire.ask("subscription explain queue:q OPQ")).startsWith("200 paused");
    }
}
