package io.metaq.broker.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.metaq.message.HeaderField;
import io.metaq.message.PropertyBlockWriter;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Subscriptions of topics over the wire, and the rules of Jakarta Messaging 3.1, 8.3. */
class TopicTest {
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

    private static void awaitMessages(Inbox inbox, String... texts) {
        await().untilAsserted(() -> assertThat(inbox.texts()).containsExactly(texts));
    }

    @Test
    void shouldGiveEverySubscriptionWhatIsSentFromThenOn() {
        broker.connect().attach("1", "t", "exclusive", "", a).credit(10);
        broker.send("t", "first");
        broker.connect().attach("2", "t", "exclusive", "", b).credit(10);
        broker.send("t", "second");
        awaitMessages(a, "first", "second");
        awaitMessages(b, "second");
    }

    @Test
    void shouldKeepADurableSubscriptionOverRestarts() throws IOException {
        Wire.Seat consumer = broker.connect().attach("d", "t", "durable", "", a);
        broker.send("t", "1", "2");
        consumer.credit(1);
        awaitMessages(a, "1");
        consumer.ack(a.all());
        consumer.detach();
        broker.send("t", "3");
        broker.restart();
        broker.send("t", "4");
        assertThat(broker.connect().attach("d", "t", "durable", "", b).drain(10))
                .isEqualTo(3);
        assertThat(b.counted()).containsExactly("2:1", "3:1", "4:1");
    }

    @Test
    void shouldLetAnUnsharedSubscriptionHaveOneConsumer() {
        Wire.Seat first = broker.connect().attach("d", "t", "durable", "", a);
        assertThatThrownBy(() -> broker.connect().attach("d", "t", "durable", "", b))
                .hasMessageContaining("409");
        assertThatThrownBy(() -> broker.connect().attach("d", "t", "shared-durable", "", b))
                .hasMessageContaining("409");
        assertThat(broker.wire().ask("subscription delete d OPQ")).startsWith("409");
        first.detach();
        assertThatThrownBy(() -> broker.connect().attach("d", "t", "shared-durable", "", b))
                .hasMessageContaining("409");
        assertThat(broker.wire().ask("subscription delete d OPQ")).startsWith("200");
        assertThat(broker.wire().ask("subscription delete d OPQ")).startsWith("404");
        broker.connect().attach("d", "t", "shared-durable", "", b);
    }

    @Test
    void shouldMakeADurableSubscriptionAnewForAnotherSelector() {
        Wire.Seat consumer = broker.connect().attach("d", "t", "durable", "", a);
        broker.send("t", "1");
        consumer.detach();
        Wire.Seat changed = broker.connect().attach("d", "t", "durable", Wire.selector("n = 1"), b);
        assertThat(changed.drain(10)).isZero();
        broker.send("t", "2", new PropertyBlockWriter().property("n", 2));
        broker.send("t", "3", new PropertyBlockWriter().property("n", 1));
        changed.credit(10);
        awaitMessages(b, "3");
    }

    @Test
    void shouldShareASubscriptionUntilTheLastOneLeaves() {
        Wire.Seat first = broker.connect().attach("s", "t", "shared", "", a);
        Wire.Seat second = broker.connect().attach("s", "t", "shared", "", b);
        assertThatThrownBy(() -> broker.connect().attach("s", "t", "shared", Wire.selector("n = 1"), b))
                .hasMessageContaining("another selector");
        assertThatThrownBy(() -> broker.connect().attach("s", "other", "shared", "", b))
                .hasMessageContaining("another topic");
        first.credit(100);
        second.credit(100);
        for (int i = 0; i < 20; i++) {
            broker.send("t", "m" + i);
        }
        await().untilAsserted(() -> assertThat(a.got.size() + b.got.size()).isEqualTo(20));
        assertThat(a.texts()).doesNotContainAnyElementsOf(b.texts());
        first.detach();
        second.detach();
        Inbox after = new Inbox();
        Wire.Seat anew = broker.connect().attach("s", "t", "shared", "", after);
        assertThat(anew.drain(10)).isZero();
    }

    @Test
    void shouldLeaveOutWhatComesFromItsOwnOrigin() {
        broker.connect()
                .attach("l", "t", "exclusive", "nolocal=true origin=me", a)
                .credit(10);
        broker.send("t", "mine", new PropertyBlockWriter().header(HeaderField.ORIGIN, "me"));
        broker.send("t", "yours", new PropertyBlockWriter().header(HeaderField.ORIGIN, "you"));
        awaitMessages(a, "yours");
    }

    @Test
    void shouldDelayForSubscriptionsThatWereThereWhenItWasSent() {
        broker.connect().attach("1", "t", "exclusive", "", a).credit(10);
        long dueMs = System.currentTimeMillis() + 700;
        broker.send("t", "late", new PropertyBlockWriter().header(HeaderField.DELIVERY_TIME, dueMs));
        broker.send("t", "now");
        broker.connect().attach("2", "t", "exclusive", "", b).credit(10);
        awaitMessages(a, "now");
        awaitMessages(a, "now", "late");
        assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(dueMs);
        assertThat(b.got).isEmpty();
    }

    @Test
    void shouldKeepClientIdsToOneConnection() throws IOException {
        Wire first = broker.connect();
        assertThat(first.ask("client me OPQ")).startsWith("200");
        assertThat(first.ask("client me OPQ")).startsWith("200");
        assertThat(first.ask("client other OPQ")).startsWith("409");
        Wire second = broker.connect();
        assertThat(second.ask("client me OPQ")).startsWith("409");
        first.close();
        await().untilAsserted(() -> assertThat(second.ask("client me OPQ")).startsWith("200"));
    }

    @Test
    void shouldKeepQueuesAndTopicsApart() {
        Wire wire = broker.connect();
        wire.queue("q", a);
        assertThat(wire.ask("topic create q OPQ kind=topic ensure=true")).startsWith("409");
        assertThat(wire.ask("topic create q OPQ kind=queue ensure=true")).startsWith("200");
        assertThat(wire.ask("topic create t OPQ kind=topic ensure=true")).startsWith("200");
        assertThatThrownBy(() -> wire.queue("t", a)).hasMessageContaining("409");
    }

    @Test
    void shouldReplayADurableSubscriptionFromAPlace() {
        Wire.Seat consumer = broker.connect().attach("d", "t", "durable", "", a);
        broker.send("t", "1", "2", "3");
        assertThat(consumer.drain(10)).isEqualTo(3);
        consumer.ack(a.all());
        assertThat(broker.wire().ask("subscription seek d OPQ to=5")).startsWith("400");
        assertThat(broker.wire()
                        .ask("subscription seek d OPQ to=" + a.got.get(1).offset()))
                .startsWith("200");
        consumer.credit(10);
        awaitMessages(a, "1", "2", "3", "2", "3");
        assertThat(broker.wire().ask("subscription purge d OPQ")).startsWith("200");
        assertThat(broker.wire().ask("subscription list d OPQ"))
                .isEqualTo("200 d topic t kind durable consumers 1 depth 0\r\n");
    }

    @Test
    void shouldMoveMessagesToAnotherDestination() {
        Wire wire = broker.connect();
        broker.connect().attach("d", "t", "durable", "", a).detach();
        wire.queue("q", b);
        broker.send("t", "red", new PropertyBlockWriter().property("color", "red"));
        broker.send("t", "blue", new PropertyBlockWriter().property("color", "blue"));
        assertThat(wire.ask("subscription move d OPQ to=q " + Wire.selector("color = 'red'")))
                .isEqualTo("200 moved 1");
        assertThat(wire.ask("subscription list * OPQ")).contains("d topic t kind durable consumers 0 depth 1");
        assertThat(wire.ask("subscription list * OPQ topic=q")).contains("depth 1");
    }
}
