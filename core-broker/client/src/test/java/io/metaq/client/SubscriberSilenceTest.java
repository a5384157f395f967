package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.client.subscription.AttachedConsumer;
import io.metaq.client.subscription.Attachment;
import io.metaq.client.subscription.Delivery;
import io.metaq.client.subscription.DeliveryHandler;
import io.metaq.client.subscription.SubscriberLink;
import io.metaq.client.subscription.SubscriberListener;
import io.metaq.protocol.AttachKind;
import io.metaq.protocol.Ranges;
import io.metaq.testkit.peer.Answer;
import io.metaq.testkit.peer.ScriptedPeer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A broker that does not say whether it has messages back: after some time they are, by the end of the connection. */
@Timeout(60)
class SubscriberSilenceTest {
    private static final Attachment QUEUE = new Attachment("queue:q", "q", AttachKind.QUEUE, null, false, null);

    private final ScriptedPeer peer = ScriptedPeer.start();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private MetaqClient client;
    private AttachedConsumer consumer;

    @BeforeEach
    void attach() throws Exception {
        peer.always("version", Answer.version2(7, "append,login,subscription,transact"));
        peer.always("attach", Answer.attached());
        peer.always("quit", Answer.close());
        for (String verb : List.of("drain", "reject", "release")) {
            peer.always(verb, Answer.silence());
        }
        client = MetaqClient.builder()
                .servers(peer.address())
                .subscriberTimeout(Duration.ofSeconds(2))
                .build();
        SubscriberLink link = client.subscriber(new SubscriberListener() {
            @Override
            public void interrupted(RuntimeException cause) {
                told.add("interrupted");
            }

            @Override
            public void resumed() {
                told.add("resumed");
            }

            @Override
            public void failed(RuntimeException cause) {
                told.add("failed");
            }
        });
        consumer = link.attach(QUEUE, handler()).get(20, TimeUnit.SECONDS);
    }

    private DeliveryHandler handler() {
        return new DeliveryHandler() {
            @Override
            public void delivered(Delivery message) {}

            @Override
            public void lost() {
                told.add("lost");
            }

            @Override
            public void reset() {
                told.add("reset");
            }

            @Override
            public void detached(String reason) {}
        };
    }

    @AfterEach
    void close() {
        client.close();
        peer.close();
    }

    @Test
    void shouldEndTheConnectionThatDoesNotTakeMessagesBack() throws Exception {
        CompletableFuture<?> all = CompletableFuture.allOf(
                consumer.drain(0), consumer.reject(Ranges.of(0, 0, 10), -1), consumer.release(Ranges.of(0, 10, 20)));
        all.get(20, TimeUnit.SECONDS);
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(told).containsExactly("lost", "interrupted", "reset", "resumed"));
        assertThat(peer.connections()).isEqualTo(2);
    }
}
