package io.metaq.client.subscription;

import io.metaq.protocol.DamagedMessageException;
import io.metaq.protocol.MessageCursor;
import io.metaq.protocol.Ranges;
import io.metaq.protocol.Request;
import io.metaq.protocol.Response;
import io.metaq.protocol.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A consumer of a {@link SubscriberSession}. What other threads want sent is noted under a lock, in its order, and sent in the next turn
 * of the network thread: acknowledgements that follow each other as one frame, and credit likewise.
 */
final class ConsumerSeat implements AttachedConsumer {
    private static final Logger LOG = LoggerFactory.getLogger(ConsumerSeat.class);

    /** So that the frame's header line stays below what every broker reads. */
    private static final int MAX_RANGES = 250;

    private static final String NOTHING_MISSED = "acknowledged 0 missed 0";

    private final SubscriberSession session;
    private final int id;
    private final Attachment spec;
    private final DeliveryHandler handler;
    private final AtomicBoolean dirty = new AtomicBoolean();

    private final Object notesLock = new Object();
    private final List<Step> steps = new ArrayList<>();
    private Ranges.Builder acks = Ranges.builder();
    private int creditMessages;
    private int creditBytes;
    private volatile boolean detaching;

    /** Acknowledgements that wait for a connection. */
    private Ranges.Builder held = Ranges.builder();

    private boolean attached;

    /** What is to be sent, and the call behind it. */
    private record Step(
            Ranges acks, int messages, int bytes, @Nullable Call call, boolean last) {}

    ConsumerSeat(SubscriberSession session, int id, Attachment spec, DeliveryHandler handler) {
        this.session = session;
        this.id = id;
        this.spec = spec;
        this.handler = handler;
    }

    @Override
    public int id() {
        return id;
    }

    @Override
    public String subscription() {
        return spec.name();
    }

    Request attachRequest(int opaque) {
        return new Request.Attach(
                id, spec.name(), spec.topic(), spec.kind(), spec.selector(), spec.noLocal(), spec.origin(), opaque);
    }

    @Override
    public void credit(int messages, int bytes) {
        synchronized (notesLock) {
            creditMessages = sum(creditMessages, messages);
            creditBytes = sum(creditBytes, bytes);
        }
        session.flushSoon(this);
    }

    private static int sum(int a, int b) {
        return (int) Math.min(Integer.MAX_VALUE, (long) a + b);
    }

    @Override
    public CompletableFuture<Integer> drain(int messages) {
        Call call = Call.once("drain", opaque -> new Request.Drain(id, messages, opaque), "0")
                .forgiving(Status.NOT_FOUND.code());
        note(call, false, true);
        return call.done.thenApply(ConsumerSeat::delivered);
    }

    /** The text of a 404, for a consumer that the broker has ended meanwhile, is no number. */
    private static int delivered(String text) {
        String number = text.strip();
        return number.chars().allMatch(Character::isDigit) && !number.isEmpty() ? Integer.parseInt(number) : 0;
    }

    @Override
    public void acknowledge(Ranges ranges) {
        if (ranges.isEmpty()) {
            return;
        }
        synchronized (notesLock) {
            acks.addAll(ranges);
        }
        session.flushSoon(this);
    }

    @Override
    public CompletableFuture<Integer> acknowledgeAndWait(Ranges ranges) {
        CompletableFuture<Integer> missed = CompletableFuture.completedFuture(0);
        for (Ranges part : parts(ranges)) {
            Call call = Call.repeated("ack", opaque -> new Request.Ack(id, part, opaque, true));
            note(call, false, false);
            missed = missed.thenCombine(call.done.thenApply(ConsumerSeat::missed), Integer::sum);
        }
        return missed;
    }

    private static int missed(String text) {
        String[] words = (text.isBlank() ? NOTHING_MISSED : text).strip().split(" ", -1);
        return words.length == 4 ? Integer.parseInt(words[3]) : 0;
    }

    @Override
    public CompletableFuture<@Nullable Void> reject(Ranges ranges, long delayMs) {
        List<CompletableFuture<String>> all = new ArrayList<>();
        for (Ranges part : parts(ranges)) {
            all.add(noted(once("reject", opaque -> new Request.Reject(id, part, opaque, delayMs, false))));
        }
        return allOf(all);
    }

    @Override
    public CompletableFuture<@Nullable Void> release(Ranges ranges) {
        List<CompletableFuture<String>> all = new ArrayList<>();
        for (Ranges part : parts(ranges)) {
            all.add(noted(once("release", opaque -> new Request.Release(id, part, opaque))));
        }
        return allOf(all);
    }

    @Override
    public CompletableFuture<@Nullable Void> detach(Ranges delivered) {
        detaching = true;
        List<Ranges> parts = parts(delivered);
        for (int i = 1; i < parts.size(); i++) {
            // What does not fit into one line comes again as well when it is rejected.
            Ranges part = parts.get(i);
            note(once("reject", opaque -> new Request.Reject(id, part, opaque, 0, false)), false, false);
        }
        Ranges first = parts.isEmpty() ? Ranges.none() : parts.get(0);
        Call call = once("detach", opaque -> new Request.Detach(id, opaque, first));
        note(call, true, true);
        return call.whenDone();
    }

    /** The end of the connection does the same, and so does the end of the consumer. */
    private static Call once(String what, IntFunction<Request> request) {
        return Call.once(what, request, "").forgiving(Status.NOT_FOUND.code());
    }

    private static CompletableFuture<@Nullable Void> allOf(List<CompletableFuture<String>> all) {
        return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]));
    }

    private static List<Ranges> parts(Ranges ranges) {
        List<Ranges> parts = new ArrayList<>();
        for (int from = 0; from < ranges.size(); from += MAX_RANGES) {
            parts.add(ranges.slice(from, Math.min(ranges.size(), from + MAX_RANGES)));
        }
        return parts;
    }

    private CompletableFuture<String> noted(Call call) {
        note(call, false, false);
        return call.done;
    }

    private void note(Call call, boolean last, boolean withoutCredit) {
        synchronized (notesLock) {
            if (withoutCredit) {
                creditMessages = 0;
                creditBytes = 0;
            }
            steps.add(takeStep(call, last));
        }
        session.flushSoon(this);
    }

    private Step takeStep(@Nullable Call call, boolean last) {
        Step step = new Step(acks.build(), creditMessages, creditBytes, call, last);
        acks = Ranges.builder();
        creditMessages = 0;
        creditBytes = 0;
        return step;
    }

    boolean becomesDirty() {
        return dirty.compareAndSet(false, true);
    }

    /** Sends what was noted. */
    void flush() {
        dirty.set(false);
        for (Step step : takeSteps()) {
            sendAcks(step.acks);
            if (attached && (step.messages > 0 || step.bytes > 0)) {
                session.tell(new Request.Credit(id, step.messages, step.bytes));
            }
            if (step.call != null) {
                if (step.last) {
                    attached = false;
                    session.forget(this);
                }
                session.submit(step.call);
            }
        }
    }

    private List<Step> takeSteps() {
        synchronized (notesLock) {
            List<Step> due = new ArrayList<>(steps);
            steps.clear();
            due.add(takeStep(null, false));
            return due;
        }
    }

    private void sendAcks(Ranges fresh) {
        if (!attached) {
            held.addAll(fresh);
            return;
        }
        for (Ranges part : parts(fresh)) {
            session.tell(new Request.Ack(id, part, 0, false));
        }
    }

    void failAll(RuntimeException failure) {
        for (Step step : takeSteps()) {
            if (step.call != null) {
                step.call.fail(failure);
            }
        }
    }

    void attached() {
        attached = true;
    }

    void connectionLost() {
        attached = false;
        flush();
        tellHandler(handler::lost);
    }

    /** What was acknowledged meanwhile goes first, while nobody else has it; credit that was given for the old connection is void. */
    void attachedAgain() {
        flush();
        attached = true;
        Ranges meanwhile = held.build();
        held = Ranges.builder();
        sendAcks(meanwhile);
        tellHandler(handler::reset);
    }

    void endedByBroker(String reason) {
        attached = false;
        session.forget(this);
        if (!detaching) {
            tellHandler(() -> handler.detached(reason));
        }
    }

    /** One handler's mistake must not cost the others their connection. */
    private void tellHandler(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("the handler of consumer {} on {} threw", id, spec.name(), e);
        }
    }

    void deliver(Response.Deliveries frame) {
        MessageCursor cursor = new MessageCursor(frame.body());
        try {
            long offset = frame.offset();
            while (!detaching && cursor.next()) {
                long end = frame.offset() + cursor.consumed();
                if (cursor.intact()) {
                    Delivery delivery = new Delivery(
                            frame.partition(),
                            offset,
                            frame.delivery(),
                            cursor.id(),
                            cursor.flag(),
                            cursor.bodyBytes());
                    handler.delivered(delivery);
                } else {
                    refuse(frame, offset, end);
                }
                offset = end;
            }
        } catch (DamagedMessageException e) {
            session.distrust("a delivery is damaged: " + e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("the handler of consumer {} on {} threw", id, spec.name(), e);
            session.distrust("its handler did not take a delivery");
        }
    }

    /** Nobody can process it, and it would come again for ever; the credit that it took is given back. */
    private void refuse(Response.Deliveries frame, long offset, long end) {
        LOG.error(
                "the message at {}:{} of {} is damaged, it goes to the dead letters; check the broker's disk",
                frame.partition(),
                offset,
                spec.topic());
        Ranges damaged = Ranges.of(frame.partition(), offset, end);
        session.submit(once("reject", opaque -> new Request.Reject(id, damaged, opaque, Request.ABSENT, true)));
        session.tell(new Request.Credit(id, 1, (int) Math.min(Integer.MAX_VALUE, end - offset)));
    }
}
