package io.metaq.client;

import io.metaq.client.net.Transport.Purpose;
import io.netty.channel.EventLoop;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps up to two fetched slices of a partition ready: asks for the next as soon as one has come, so that the network works while the
 * listener does. Its state belongs to its event loop; its methods may be called on any thread.
 *
 * <p>At the end of the log it asks again at once if the broker held the request, else after a growing delay. After a failure it tries
 * again after a growing delay, for ever; only damage is reported, and reading halts there until {@link #start} says where to go on.
 */
final class PartitionReader {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionReader.class);
    private static final int AHEAD = 2;
    private static final long FIRST_DELAY_MS = 10;
    private static final long MAX_FAILURE_DELAY_MS = 2_000;

    /**
     * How to read.
     *
     * @param group name told to the broker
     * @param maxIdleDelayMs longest pause at the end when the broker does not hold requests
     */
    record Settings(String group, int fetchSize, int waitMs, long maxIdleDelayMs) {}

    private final ClientCore core;
    private final TopicPartition partition;
    private final Settings settings;
    private final Consumer<Fetched> sink;
    private final EventLoop loop;
    private long offset = -1;
    private int round;
    private int buffered;
    private long delayMs;
    private boolean fetching;
    private boolean scheduled;
    private boolean paused;
    private volatile boolean stopped;

    /**
     * @param sink takes data and damage, on the event loop, and must not block; calls {@link #taken} when it has worked through data
     */
    PartitionReader(ClientCore core, TopicPartition partition, Settings settings, Consumer<Fetched> sink) {
        this.core = core;
        this.partition = partition;
        this.settings = settings;
        this.sink = sink;
        this.loop = core.brokers().transport().anyLoop();
    }

    /** Begins at an offset, or goes on from there: what was fetched before and not handed over is dropped. */
    void start(long from) {
        onLoop(() -> {
            offset = from;
            round++;
            buffered = 0;
            fetching = false;
            delayMs = 0;
            next();
        });
    }

    /** A slice handed over in this round has been worked through. */
    void taken() {
        onLoop(() -> {
            buffered = Math.max(0, buffered - 1);
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

    private void next() {
        if (offset < 0 || fetching || scheduled || paused || stopped || buffered >= AHEAD) {
            return;
        }
        fetching = true;
        int thisRound = round;
        long started = System.nanoTime();
        BrokerAddress server = core.brokers().known(partition);
        PartitionFetch.start(
                core.brokers().link(server, Purpose.CONSUME),
                server,
                partition,
                offset,
                new PartitionFetch.Asked(
                        settings.group, settings.fetchSize, core.maxFetchBytes(), settings.waitMs, (int)
                                core.requestTimeout().toMillis()),
                fetched -> onLoop(() -> arrived(thisRound, started, fetched)));
    }

    private void arrived(int ofRound, long started, Fetched fetched) {
        if (stopped || ofRound != round) {
            discard(fetched);
            return;
        }
        fetching = false;
        if (fetched instanceof Fetched.Data data) {
            delayMs = 0;
            offset = data.nextOffset();
            buffered++;
            sink.accept(data);
            next();
        } else if (fetched instanceof Fetched.End end) {
            offset = end.offset();
            idle(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started));
        } else if (fetched instanceof Fetched.Failed failed) {
            failed(failed);
        }
    }

    private void idle(long tookMs) {
        if (settings.waitMs > 0 && tookMs >= settings.waitMs / 2) {
            delayMs = 0;
            next();
        } else {
            later(settings.maxIdleDelayMs);
        }
    }

    private void failed(Fetched.Failed failed) {
        if (failed.failure() instanceof CorruptMessageException) {
            offset = -1;
            sink.accept(failed);
            return;
        }
        offset = failed.offset();
        if (delayMs == 0) {
            LOG.warn("reading {} fails and will be tried again: {}", partition, Failures.brief(failed.failure()));
        }
        later(MAX_FAILURE_DELAY_MS);
    }

    private void later(long limitMs) {
        delayMs = Math.min(limitMs, Math.max(FIRST_DELAY_MS, delayMs + delayMs / 2));
        scheduled = true;
        loop.schedule(
                () -> {
                    scheduled = false;
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
