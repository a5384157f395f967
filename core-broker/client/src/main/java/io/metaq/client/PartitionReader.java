package io.metaq.client;

import io.metaq.client.net.Transport.Purpose;
import io.metaq.protocol.Response;
import io.metaq.protocol.Status;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps fetched messages of a partition ready, up to two fetches ahead of the listener. Its state belongs to its event loop; its methods
 * may be called on any thread.
 *
 * <p>A partition is read as a stream of bytes. In a backlog, that is while answers are as long as was asked for, the next get is sent
 * before the last is answered, since it is known where it begins: the connection never idles. At the end of the log one get is held by
 * the broker until there is more; a broker that does not hold it is asked again after a growing delay. After a failure reading begins
 * again at the last whole message, after a growing delay, for ever; only damage is reported, and reading halts there until
 * {@link #start} says where to go on.
 */
final class PartitionReader {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionReader.class);
    private static final int FETCHES_AHEAD = 2;
    private static final int GETS_IN_BACKLOG = 2;
    private static final int MAX_MOVES = 4;
    private static final long FIRST_DELAY_MS = 10;
    private static final long MAX_FAILURE_DELAY_MS = 2_000;

    /**
     * How to read.
     *
     * @param group name told to the broker
     * @param maxIdleDelayMs longest pause at the end when the broker does not hold requests
     */
    record Settings(String group, int fetchSize, int waitMs, long maxIdleDelayMs) {}

    /** Takes data and damage over in their order, on the event loop, and must not block. */
    @FunctionalInterface
    interface Sink {

        /** @param round of the {@link #start} that this belongs to */
        void accept(int round, Fetched fetched);
    }

    private final ClientCore core;
    private final TopicPartition partition;
    private final Settings settings;
    private final Sink sink;
    private final EventLoop loop;
    private final SliceJoiner joiner;
    private final ArrayDeque<SliceRequest> underWay = new ArrayDeque<>();
    private long nextByte;
    private long bufferedBytes;
    private long delayMs;
    private int moves;
    private int round;
    private boolean backlog;
    private boolean halted = true;
    private boolean paused;
    private @Nullable ScheduledFuture<?> timer;
    private volatile boolean stopped;

    /** @param sink calls {@link #taken} when it has worked through data */
    PartitionReader(ClientCore core, TopicPartition partition, Settings settings, Sink sink) {
        this.core = core;
        this.partition = partition;
        this.settings = settings;
        this.sink = sink;
        this.loop = core.brokers().transport().anyLoop();
        this.joiner = new SliceJoiner(core.maxFetchBytes());
    }

    /**
     * Begins at an offset, or goes on from there: what was fetched before and not handed over is dropped.
     *
     * @param newRound tells what is handed over from now on from what was on its way before
     */
    void start(long from, int newRound) {
        onLoop(() -> {
            round = newRound;
            halted = false;
            if (timer != null) {
                timer.cancel(false);
                timer = null;
            }
            bufferedBytes = 0;
            delayMs = 0;
            moves = 0;
            beginAt(from);
            next();
        });
    }

    /** Data of this size that was handed over in this round has been worked through. */
    void taken(int bytes) {
        onLoop(() -> {
            bufferedBytes = Math.max(0, bufferedBytes - bytes);
            next();
        });
    }

    void pause(boolean wanted) {
        onLoop(() -> {
            paused = wanted;
            next();
        });
    }

    /** For good. */
    void stop() {
        stopped = true;
        onLoop(() -> beginAt(joiner.offset()));
    }

    private void onLoop(Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
            return;
        }
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.trace("reader of {} after the end of the network thread", partition, e);
        }
    }

    /** Forgets requests under way, whose answers no longer fit. */
    private void beginAt(long messageOffset) {
        underWay.forEach(SliceRequest::forget);
        underWay.clear();
        joiner.restart(messageOffset);
        nextByte = messageOffset;
        backlog = false;
    }

    private void next() {
        while (mayAsk()) {
            BrokerAddress server = core.brokers().known(partition);
            SliceRequest request = new SliceRequest(nextByte, settings.fetchSize, this::arrived);
            underWay.add(request);
            nextByte += settings.fetchSize;
            request.send(
                    core.brokers().link(server, Purpose.CONSUME),
                    partition,
                    settings.group,
                    backlog || joiner.isWithinMessage() ? 0 : settings.waitMs,
                    core.requestTimeout().toMillis());
        }
    }

    private boolean mayAsk() {
        int gets = backlog ? GETS_IN_BACKLOG : 1;
        return !halted
                && timer == null
                && !paused
                && !stopped
                && underWay.size() < gets
                && bufferedBytes < (long) FETCHES_AHEAD * settings.fetchSize;
    }

    /** Answers are worked through in the order of the requests, whatever order they come in. */
    private void arrived() {
        onLoop(() -> {
            while (!underWay.isEmpty() && underWay.getFirst().isAnswered()) {
                answered(underWay.removeFirst());
            }
            next();
        });
    }

    private void answered(SliceRequest request) {
        Response response = request.response();
        if (response instanceof Response.Value value) {
            data(request, value.body());
        } else if (response instanceof Response.Result result) {
            refused(request, result);
        } else {
            failed(Failures.network("get", request.failure(), core.brokers().known(partition), partition));
        }
    }

    private void data(SliceRequest request, ByteBuf slice) {
        int length = slice.readableBytes();
        if (length == 0) {
            slice.release();
            idle(request);
            return;
        }
        delayMs = 0;
        moves = 0;
        backlog = length >= settings.fetchSize;
        if (length < settings.fetchSize) {
            underWay.forEach(SliceRequest::forget);
            underWay.clear();
            nextByte = request.offset() + length;
        }
        boolean sound = joiner.feed(slice, data -> {
            bufferedBytes += data.content().readableBytes();
            sink.accept(round, data);
        });
        if (!sound) {
            halted = true;
            long at = joiner.offset();
            beginAt(at);
            sink.accept(
                    round,
                    new Fetched.Failed(
                            at,
                            Failures.corrupt(
                                    "impossible message header", core.brokers().known(partition), partition, at, -1)));
        }
    }

    private void refused(SliceRequest request, Response.Result result) {
        if (result.code() == Status.NOT_FOUND.code()) {
            idle(request);
        } else if (result.code() == Status.MOVED.code()) {
            moved(request, result.text());
        } else {
            failed(Failures.status(
                    "get", result.code(), result.text(), core.brokers().known(partition), partition));
        }
    }

    /** The end, for now. A message that ends there unfinished is read anew, since what follows may not be what it began with. */
    private void idle(SliceRequest request) {
        boolean wasHeld = settings.waitMs > 0 && request.tookMs() >= settings.waitMs / 2;
        boolean wasBacklog = backlog;
        boolean unfinished = joiner.isWithinMessage();
        beginAt(joiner.offset());
        if (unfinished || !(wasHeld || wasBacklog)) {
            later(settings.maxIdleDelayMs);
        }
    }

    private void moved(SliceRequest request, String text) {
        try {
            long target = Long.parseLong(text.strip());
            boolean progress = target != request.offset() && ++moves <= MAX_MOVES;
            beginAt(target);
            if (!progress) {
                later(settings.maxIdleDelayMs);
            }
        } catch (NumberFormatException e) {
            failed(new MetaqException("get: the broker moved the offset to '" + text + "'", e));
        }
    }

    private void failed(MetaqException failure) {
        if (delayMs == 0 && !stopped) {
            LOG.warn("reading {} fails and will be tried again: {}", partition, Failures.brief(failure));
        }
        beginAt(joiner.offset());
        later(MAX_FAILURE_DELAY_MS);
    }

    private void later(long limitMs) {
        delayMs = Math.min(limitMs, Math.max(FIRST_DELAY_MS, delayMs + delayMs / 2));
        timer = loop.schedule(
                () -> {
                    timer = null;
                    next();
                },
                delayMs,
                TimeUnit.MILLISECONDS);
    }

    static void discard(Fetched fetched) {
        if (fetched instanceof Fetched.Data data) {
            data.content().release();
        }
    }
}
