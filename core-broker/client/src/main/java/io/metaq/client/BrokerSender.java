package io.metaq.client;

import io.metaq.client.net.Link;
import io.metaq.client.net.LinkListener;
import io.metaq.client.net.NetworkFailure;
import io.metaq.client.net.NetworkFailure.Kind;
import io.metaq.client.net.ReplyHandler;
import io.metaq.client.net.ServerInfo;
import io.metaq.protocol.ProtocolException;
import io.metaq.protocol.Response;
import io.metaq.protocol.Status;
import io.metaq.protocol.Stored;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Sends one producer's batches to one broker. Belongs to the network thread of its link but for {@link #wake}.
 *
 * <p>Batches are numbered when first written. After a broken connection those without an answer are written again in their order, with
 * their numbers, so that the broker can recognise what it has already; nothing new is sent until they are answered, so that it still
 * knows their numbers then. A batch that was refused gets a new number, unless it is one of those and the broker merely had no time.
 */
final class BrokerSender implements LinkListener {

    /** The broker remembers the last 128 batches of a producer. */
    private static final int MAX_IN_FLIGHT = 100;

    private static final int NO_BROKER = -1;
    private static final int MAX_FULL_PER_PARTITION = 16;
    private static final long SWEEP_MS = 50;
    private final BatchingProducer producer;
    private final int broker;
    private final BrokerAddress server;
    private final Link link;
    private final SenderSettings settings;
    private final Company company;

    /** Its own and no other sender's, though that may be of the same producer and reach the same broker: the numbers are this one's. */
    private final long producerId = new SecureRandom().nextLong() & Long.MAX_VALUE | 1;

    private final ArrayDeque<Flight> inFlight = new ArrayDeque<>();
    private final Set<PartitionQueue> waiting = new LinkedHashSet<>();

    private boolean up;
    private boolean modern;
    private boolean closed;
    private int maxBody = Integer.MAX_VALUE;
    private long nextSequence;
    private MetaqException lastTrouble;
    private long pausedUntil = System.nanoTime();

    /** Batches under way that the broker may have stored already. */
    private int uncertain;

    /** A batch and the queue it came from. */
    private record Flight(PartitionQueue queue, Batch batch) {}

    BrokerSender(BatchingProducer producer, int broker, BrokerAddress server, Link link, SenderSettings settings) {
        this.producer = producer;
        this.broker = broker;
        this.server = server;
        this.link = link;
        this.settings = settings;
        this.company = new Company(link.loop(), this::drain);
        this.lastTrouble = Failures.timeout("send: no connection yet", server, null, false);
    }

    void start() {
        link.listen(this);
        link.connect();
        link.run(() -> link.loop().schedule(this::sweep, SWEEP_MS, TimeUnit.MILLISECONDS));
    }

    /** Says that the queue has become active. Any thread. */
    void wake(PartitionQueue queue) {
        if (!link.run(() -> drain(queue))) {
            producer.abandon(queue);
        }
    }

    void wakeAfter(PartitionQueue queue, long delayNanos) {
        link.run(() -> link.loop().schedule(() -> drain(queue), delayNanos, TimeUnit.NANOSECONDS));
    }

    int broker() {
        return broker;
    }

    @Override
    public void up(ServerInfo info) {
        up = true;
        modern = info.modern();
        maxBody = info.maxBody();
        pausedUntil = System.nanoTime();
        producer.health().good(broker);
        writeAgain();
        drainWaiting();
    }

    @Override
    public void down(NetworkFailure failure) {
        up = false;
        if (producer.isAt(broker, server)) {
            producer.health().unreachable(broker);
        }
        lastTrouble = Failures.network("send", failure, server, null);
        for (PartitionQueue queue : List.copyOf(waiting)) {
            moveAll(queue, lastTrouble);
        }
        if (failure.kind() == Kind.REFUSED) {
            failAll(lastTrouble);
        }
    }

    private void writeAgain() {
        for (Flight flight : List.copyOf(inFlight)) {
            if (flight.batch.unanswered) {
                flight.batch.unanswered = false;
                write(flight);
            }
        }
    }

    private void drainWaiting() {
        List<PartitionQueue> queues = List.copyOf(waiting);
        waiting.clear();
        queues.forEach(this::drain);
    }

    private void drain(PartitionQueue queue) {
        if (handedOver(queue) || Company.isAwaited(queue)) {
            return;
        }
        while (true) {
            if (!canSend()) {
                waiting.add(queue);
                if (!up && link.isDown()) {
                    moveAll(queue, lastTrouble);
                } else if (link.isRefused()) {
                    failAll(lastTrouble);
                }
                return;
            }
            int window = modern ? settings.maxInFlightPerPartition() : 1;
            int fullWindow = settings.maxInFlightPerPartition() == 1 ? 1 : Math.max(window, MAX_FULL_PER_PARTITION);
            if (queue.inFlight >= (modern ? fullWindow : 1)) {
                return;
            }
            Batch batch = queue.take(queue.inFlight < window);
            if (batch == null) {
                return;
            }
            send(new Flight(queue, batch));
        }
    }

    /** Gives a queue of which nothing is in flight to the sender of the address where its broker is now. */
    private boolean handedOver(PartitionQueue queue) {
        if (queue.sender == this) {
            if (closed || queue.inFlight > 0 || producer.isAt(queue.partition().broker(), server)) {
                return false;
            }
            queue.sender = producer.sender(queue.partition());
        }
        waiting.remove(queue);
        queue.sender.wake(queue);
        return true;
    }

    private boolean canSend() {
        return up
                && !closed
                && uncertain == 0
                && inFlight.size() < MAX_IN_FLIGHT
                && System.nanoTime() - pausedUntil >= 0;
    }

    private void send(Flight flight) {
        Batch batch = flight.batch;
        if (expired(batch)) {
            batch.fail(outOfTime(flight));
            return;
        }
        if (batch.bytes() > maxBody && batch.count() == 1) {
            batch.fail(Failures.status(
                    "send",
                    413,
                    "the message is bigger than the " + maxBody + " bytes that the broker takes",
                    server,
                    flight.queue.partition()));
            return;
        }
        if (modern && settings.idempotent() && batch.sequence < 0) {
            batch.sequence = nextSequence;
            nextSequence += batch.count();
        }
        flight.queue.inFlight++;
        inFlight.add(flight);
        write(flight);
    }

    private void write(Flight flight) {
        Batch batch = flight.batch;
        TopicPartition partition = flight.queue.partition();
        batch.writtenNanos = System.nanoTime();
        long leftMs = TimeUnit.NANOSECONDS.toMillis(batch.deadlineNanos - batch.writtenNanos);
        link.call(
                opaque -> modern
                        ? batch.append(partition, settings.idempotent() ? producerId : 0, opaque)
                        : batch.put(partition, opaque),
                Math.max(1, leftMs),
                new ReplyHandler() {
                    @Override
                    public void reply(Response response) {
                        answered(flight, response);
                    }

                    @Override
                    public void failed(NetworkFailure failure) {
                        unanswered(flight, failure);
                    }
                });
    }

    private void answered(Flight flight, Response response) {
        if (closed) {
            response.release();
            return;
        }
        if (!(response instanceof Response.Result result)) {
            response.release();
            settle(flight);
            flight.batch.fail(Failures.local("send: " + server + " answered with data"));
        } else if (result.ok()) {
            if (settings.keepsTogether()) {
                company.expect(flight.queue, flight.batch);
            }
            stored(flight, result.text());
        } else {
            refused(flight, result);
        }
        drain(flight.queue);
        if (flight.queue.inFlight == 0) {
            producer.idle(flight.queue);
        }
        if (!waiting.isEmpty()) {
            drainWaiting();
        }
    }

    private void stored(Flight flight, String text) {
        Batch batch = flight.batch;
        producer.health().good(broker);
        Stored where;
        try {
            where = Stored.parse(text);
        } catch (ProtocolException e) {
            settle(flight);
            batch.fail(new MetaqException("send: " + server + " answered '" + text + "'", e));
            return;
        }
        TopicPartition asked = flight.queue.partition();
        TopicPartition partition = asked.partition() == where.partition()
                ? asked
                : new TopicPartition(asked.topic(), broker, where.partition());
        if (modern) {
            settle(flight);
            batch.stored(partition, where.messageId(), where.offset(), server);
        } else {
            batch.firstStored(new SendResult(partition, where.messageId(), where.offset(), server));
            nextPut(flight);
        }
        producer.learned(asked, partition);
    }

    private void nextPut(Flight flight) {
        if (flight.batch.isDone()) {
            settle(flight);
        } else {
            write(flight);
        }
    }

    /** The flight is over; its batch has an outcome or goes back into a queue. */
    private void settle(Flight flight) {
        if (inFlight.peek() == flight) {
            inFlight.poll();
        } else {
            inFlight.remove(flight);
        }
        flight.queue.inFlight--;
        if (flight.batch.uncertain) {
            flight.batch.uncertain = false;
            uncertain--;
        }
    }

    private void refused(Flight flight, Response.Result result) {
        TopicPartition partition = flight.queue.partition();
        MetaqException failure = Failures.status("send", result.code(), result.text(), server, partition);
        Batch batch = flight.batch;
        batch.trouble = failure;
        if (batch.uncertain && failure instanceof BrokerBusyException) {
            batch.unanswered = true;
            pause(producer.health().trouble(broker, BrokerHealth.Trouble.BUSY));
        } else if (batch.uncertain && failure.code() == Status.CONFLICT.code()) {
            // The number lies in the past and is not known: so the batch is not stored, and can have another one.
            settle(flight);
            batch.sequence = -1;
            flight.queue.putBack(batch);
        } else if (failure instanceof BrokerBusyException && !failure.isOutcomeUnknown()) {
            settle(flight);
            busy(flight, failure);
        } else if (failure instanceof ForbiddenException && batch.movable) {
            settle(flight);
            producer.partitionClosed(partition);
            if (!producer.move(partition.topic(), batch, NO_BROKER)) {
                batch.fail(failure);
            }
        } else if (modern || failure.isOutcomeUnknown()) {
            settle(flight);
            batch.fail(failure);
        } else {
            batch.refuseFirst(failure);
            nextPut(flight);
        }
    }

    /** Full storage fails at once where nobody else can take the batch: waiting heals nothing that the caller could not know now. */
    private void busy(Flight flight, MetaqException failure) {
        boolean storageFull = failure.code() == 507;
        BrokerHealth.Trouble trouble = storageFull ? BrokerHealth.Trouble.STORAGE_FULL : BrokerHealth.Trouble.BUSY;
        long delayMs = producer.health().trouble(broker, trouble);
        Batch batch = flight.batch;
        batch.sequence = -1;
        if (batch.movable && producer.move(flight.queue.partition().topic(), batch, broker)) {
            return;
        }
        if (storageFull) {
            batch.fail(failure);
        } else {
            flight.queue.putBack(batch);
            pause(delayMs);
        }
    }

    private void pause(long delayMs) {
        pausedUntil = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delayMs);
        link.loop()
                .schedule(
                        () -> {
                            producer.health().changed();
                            if (up) {
                                writeAgain();
                            }
                            drainWaiting();
                        },
                        delayMs + 1,
                        TimeUnit.MILLISECONDS);
    }

    private void unanswered(Flight flight, NetworkFailure failure) {
        if (closed) {
            return;
        }
        Batch batch = flight.batch;
        TopicPartition partition = flight.queue.partition();
        MetaqException trouble = Failures.network("send", failure, server, partition);
        batch.trouble = trouble;
        if (isToBeAskedAbout(batch, failure.kind())) {
            batch.unanswered = true;
            if (!batch.uncertain) {
                batch.uncertain = true;
                uncertain++;
            }
            return;
        }
        settle(flight);
        if (failure.kind() == Kind.UNREACHABLE) {
            // The link will say so in a moment; until then trying again would turn in a circle.
            up = false;
        }
        if (failure.kind() == Kind.TIMED_OUT) {
            producer.health().trouble(broker, BrokerHealth.Trouble.NO_ANSWER);
        }
        if (failure.maybeDone() && !modern) {
            batch.refuseFirst(trouble);
        } else if (failure.maybeDone() || failure.kind() == Kind.CLOSED || failure.kind() == Kind.REFUSED) {
            batch.fail(trouble);
        }
        if (!batch.isDone()) {
            batch.sequence = -1;
            flight.queue.putBack(batch);
        }
        waiting.add(flight.queue);
        if (up) {
            link.loop().execute(this::drainWaiting);
        }
    }

    /** Whether the broker may have the batch, and can tell when it is there again. */
    private boolean isToBeAskedAbout(Batch batch, Kind kind) {
        boolean maybeStored = kind == Kind.LOST || batch.uncertain && kind == Kind.UNREACHABLE;
        return maybeStored && modern && settings.idempotent() && !expired(batch);
    }

    /** Gives what can go elsewhere to other brokers. */
    private void moveAll(PartitionQueue queue, MetaqException trouble) {
        if (!producer.canMove(queue.partition().topic(), broker)) {
            return;
        }
        for (Batch batch : queue.removeIf(candidate -> candidate.movable)) {
            batch.trouble = trouble;
            if (!producer.move(queue.partition().topic(), batch, broker)) {
                queue.putBack(batch);
            }
        }
    }

    private static boolean expired(Batch batch) {
        return System.nanoTime() - batch.deadlineNanos >= 0;
    }

    private MetaqException outOfTime(Flight flight) {
        MetaqException trouble = flight.batch.trouble;
        if (trouble != null) {
            return trouble;
        }
        if (!up) {
            return lastTrouble;
        }
        return Failures.timeout("send", server, flight.queue.partition(), flight.batch.unanswered);
    }

    /** Ends what waits for a connection or for its turn beyond its time. */
    private void sweep() {
        for (Flight flight : List.copyOf(inFlight)) {
            if (flight.batch.unanswered && expired(flight.batch)) {
                settle(flight);
                flight.batch.fail(outOfTime(flight));
            }
        }
        for (PartitionQueue queue : List.copyOf(waiting)) {
            if (!handedOver(queue)) {
                expireQueued(queue);
            }
        }
        if (!closed) {
            link.loop().schedule(this::sweep, SWEEP_MS, TimeUnit.MILLISECONDS);
        }
    }

    private void expireQueued(PartitionQueue queue) {
        for (Batch batch : queue.removeIf(BrokerSender::expired)) {
            batch.fail(outOfTime(new Flight(queue, batch)));
        }
        if (queue.isEmpty()) {
            waiting.remove(queue);
        }
    }

    /** The broker does not let us in: nothing that is here will ever be sent, nor asked about. */
    private void failAll(MetaqException why) {
        for (Flight flight : List.copyOf(inFlight)) {
            settle(flight);
            if (!flight.batch.isDone()) {
                flight.batch.fail(why);
            }
        }
        failWaiting(why);
    }

    private void failWaiting(MetaqException why) {
        for (PartitionQueue queue : List.copyOf(waiting)) {
            for (Batch batch = queue.take(true); batch != null; batch = queue.take(true)) {
                batch.fail(why);
            }
        }
        waiting.clear();
    }

    /** Fails everything that is left. */
    void close(MetaqException why) {
        link.run(() -> {
            closed = true;
            link.unlisten(this);
            for (Flight flight : List.copyOf(inFlight)) {
                settle(flight);
                if (!flight.batch.isDone()) {
                    flight.batch.fail(new ClientClosedException("the producer", true));
                }
            }
            failWaiting(why);
        });
    }
}
