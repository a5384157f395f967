package io.metaq.jms.transport;

import io.metaq.client.CommonSender;
import io.metaq.client.Durability;
import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqException;
import io.metaq.client.Producer;
import io.metaq.client.ProducerBuilder;
import io.metaq.client.SendCallback;
import io.metaq.client.TopicPartition;
import io.metaq.client.subscription.SubscriberLink;
import io.metaq.client.subscription.SubscriberListener;
import io.metaq.jms.failure.Deadline;
import io.metaq.jms.failure.Failures;
import io.metaq.jms.option.ConnectionOption;
import io.metaq.jms.option.ConnectionOptions;
import io.metaq.xa.LinkResourceManager;
import io.metaq.xa.ResourceManager;
import jakarta.jms.JMSException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A connection's way to its broker: one link for consumers, transactions and destinations, one producer for sends.
 *
 * <p>Both go to the same broker, so that what a connection sends to a temporary destination arrives where it consumes.
 */
public final class Transport {

    private static final int NOT_FOUND = 404;

    /** A batch has half a megabyte: bigger ones of many connections would wait for each other. */
    private static final int MAX_SHARED_BYTES = 16 << 10;

    private static final Duration LONGEST_FLUSH = Duration.ofSeconds(5);

    private final MetaqClient client;
    private final SubscriberLink link;
    private final LinkState state;
    private final ResourceManager resourceManager;
    private final Producer producer;
    private final CommonSender common;
    private final Outstanding outstanding = new Outstanding();
    private final int answerTimeoutMs;
    private final int sendTimeoutMs;
    private final int commitTimeoutMs;

    private Transport(
            MetaqClient client,
            SubscriberLink link,
            LinkState state,
            ProducerBuilder producers,
            ConnectionOptions options) {
        this.client = client;
        this.link = link;
        this.state = state;
        this.producer = producers.build();
        this.common = producers.common();
        this.resourceManager = new LinkResourceManager(link, options.number(ConnectionOption.COMMIT_TIMEOUT));
        this.answerTimeoutMs = options.number(ConnectionOption.REQUEST_TIMEOUT);
        this.sendTimeoutMs = options.number(ConnectionOption.SEND_TIMEOUT);
        this.commitTimeoutMs = options.number(ConnectionOption.COMMIT_TIMEOUT);
    }

    /**
     * Connects and logs in.
     *
     * @param user null for nobody
     * @throws jakarta.jms.JMSSecurityException when the broker does not accept the user
     * @throws JMSException when no broker answers; the text names the addresses
     */
    public static Transport open(
            ConnectionOptions options, @Nullable String user, @Nullable String password, SubscriberListener listener)
            throws JMSException {
        MetaqClient client;
        try {
            client = ClientSettings.builder(options, user, password).build();
        } catch (MetaqException | IllegalArgumentException e) {
            throw Failures.of(e, "connect to " + options.addresses());
        }
        try {
            LinkState state = new LinkState(listener);
            SubscriberLink link = client.subscriber(state);
            long patience = (long) options.number(ConnectionOption.CONNECT_TIMEOUT)
                    + options.number(ConnectionOption.REQUEST_TIMEOUT);
            Deadline.in(patience).await(link.ready(), "connect to " + options.addresses());
            ProducerBuilder producers = client.producer()
                    .timeout(Duration.ofMillis(options.number(ConnectionOption.SEND_TIMEOUT)))
                    .maxInFlightBytes(options.number(ConnectionOption.MAX_IN_FLIGHT_BYTES))
                    // A batch that is refused as busy must not be overtaken: the order of a session is a promise.
                    .maxInFlightBatches(1);
            return new Transport(client, link, state, producers, options);
        } catch (JMSException | RuntimeException e) {
            client.close();
            throw e instanceof JMSException known ? known : Failures.of(e, "connect to " + options.addresses());
        }
    }

    public MetaqClient client() {
        return client;
    }

    public SubscriberLink link() {
        return link;
    }

    /** The broker's side of XA. */
    public ResourceManager resourceManager() {
        return resourceManager;
    }

    /** How long a call waits for the broker's answer. */
    public Deadline answer() {
        return Deadline.in(answerTimeoutMs);
    }

    /** How long something waits that must get through if it can, a restart of the broker in between included. */
    public Deadline patience() {
        return Deadline.in(commitTimeoutMs);
    }

    /** Sends and waits until the message is as safe as it is to be. */
    public void send(Outgoing outgoing) throws JMSException {
        boolean temporary = outgoing.destination().isTemporary();
        Deadline deadline = Deadline.in(sendTimeoutMs);
        if (temporary) {
            state.awaitUp(deadline);
        }
        while (true) {
            try {
                if (mayShareBatch(outgoing)) {
                    common.send(message(outgoing));
                } else {
                    producer.send(message(outgoing));
                }
                return;
            } catch (MetaqException e) {
                if (!temporary || e.code() != NOT_FOUND || !state.mayComeBack(deadline)) {
                    throw Failures.of(e, "send to " + outgoing.destination());
                }
            }
        }
    }

    /**
     * Whether other connections' messages may travel with it: it is small, it goes to the disk as theirs do, and nothing is under way
     * that was sent here before without waiting, which it would overtake.
     */
    private boolean mayShareBatch(Outgoing outgoing) {
        return outgoing.persistent() && outgoing.data().length <= MAX_SHARED_BYTES && outstanding.isNone();
    }

    /** Sends without waiting; the callback comes on the network thread. Waits only while too many bytes are under way. */
    public void send(Outgoing outgoing, SendCallback callback) {
        if (outgoing.destination().isTemporary()) {
            state.awaitUp(Deadline.in(sendTimeoutMs));
        }
        outstanding.begun();
        try {
            producer.send(message(outgoing), (result, failure) -> {
                outstanding.ended();
                callback.completed(result, failure);
            });
        } catch (MetaqException e) {
            outstanding.ended();
            callback.completed(null, e);
        }
    }

    private Message message(Outgoing outgoing) {
        return Message.of(outgoing.destination().name(), outgoing.data())
                .flag(outgoing.flag())
                .durability(outgoing.persistent() ? Durability.DISK : Durability.OS)
                .to(new TopicPartition(outgoing.destination().name(), link.brokerId(), outgoing.partition()));
    }

    /** Waits until nothing that was sent without waiting is under way. @return false if the time was too short */
    public boolean awaitSends(Deadline deadline) {
        return outstanding.await(deadline);
    }

    /** Ends everything, what was sent and not answered last; returns within the deadline and two seconds more. */
    public void close(Deadline deadline) {
        long flush = Math.min(deadline.nanosLeft(), LONGEST_FLUSH.toNanos());
        common.close(Duration.ofNanos(flush));
        producer.close(Duration.ofNanos(Math.min(deadline.nanosLeft(), flush)));
        link.close();
        client.close();
    }
}
