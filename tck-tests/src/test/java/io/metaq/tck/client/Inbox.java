package io.metaq.tck.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.metaq.client.subscription.AttachedConsumer;
import io.metaq.client.subscription.Attachment;
import io.metaq.client.subscription.Delivery;
import io.metaq.client.subscription.DeliveryHandler;
import io.metaq.client.subscription.SubscriberLink;
import io.metaq.protocol.AttachKind;
import io.metaq.protocol.Ranges;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A consumer on a subscription that keeps all it was delivered. */
final class Inbox implements DeliveryHandler {
    private final List<Delivery> deliveries = new ArrayList<>();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final AttachedConsumer consumer;

    private Inbox(SubscriberLink link, Attachment spec) throws Exception {
        consumer = link.attach(spec, this).get(30, TimeUnit.SECONDS);
    }

    static Inbox onQueue(SubscriberLink link, String queue) throws Exception {
        return new Inbox(link, new Attachment("queue:" + queue, queue, AttachKind.QUEUE, null, false, null));
    }

    static Inbox on(SubscriberLink link, Attachment spec) throws Exception {
        return new Inbox(link, spec);
    }

    AttachedConsumer consumer() {
        return consumer;
    }

    /** Asks for so many now, and gives those that came. */
    List<Delivery> drain(int messages) throws Exception {
        int before = size();
        int count = consumer.drain(messages).get(30, TimeUnit.SECONDS);
        if (size() - before != count) {
            throw new AssertionError(count + " said to be delivered, " + (size() - before) + " are");
        }
        return since(before);
    }

    /** Waits until there are so many since the beginning. */
    void await(int messages) {
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> size() >= messages);
    }

    synchronized int size() {
        return deliveries.size();
    }

    /** Those behind the first so many. */
    synchronized List<Delivery> since(int first) {
        return List.copyOf(deliveries.subList(first, deliveries.size()));
    }

    List<Delivery> deliveries() {
        return since(0);
    }

    List<String> events() {
        return events;
    }

    static String text(Delivery delivery) {
        return new String(delivery.body(), UTF_8);
    }

    static List<String> texts(List<Delivery> deliveries) {
        return deliveries.stream().map(Inbox::text).toList();
    }

    static Ranges ranges(List<Delivery> deliveries) {
        Ranges.Builder ranges = Ranges.builder();
        deliveries.forEach(one -> ranges.add(one.partition(), one.offset(), one.endOffset()));
        return ranges.build();
    }

    @Override
    public synchronized void delivered(Delivery message) {
        deliveries.add(message);
    }

    @Override
    public void reset() {
        events.add("reset");
    }

    @Override
    public void detached(String reason) {
        events.add("detached");
    }
}
