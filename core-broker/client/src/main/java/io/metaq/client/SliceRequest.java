package io.metaq.client;

import io.metaq.client.net.Link;
import io.metaq.client.net.NetworkFailure;
import io.metaq.client.net.ReplyHandler;
import io.metaq.client.net.ServerInfo;
import io.metaq.protocol.Request;
import io.metaq.protocol.Response;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One get of a reader, from its sending until its answer is worked through or no longer wanted. */
final class SliceRequest implements ReplyHandler {

    private final long offset;
    private final int size;
    private final Runnable arrived;
    private final long started = System.nanoTime();
    private long ended;
    private @Nullable Response response;
    private @Nullable NetworkFailure failure;
    private boolean forgotten;

    /** @param arrived called on the link's loop when there is an outcome, unless forgotten before */
    SliceRequest(long offset, int size, Runnable arrived) {
        this.offset = offset;
        this.size = size;
        this.arrived = arrived;
    }

    void send(Link link, TopicPartition partition, String group, int waitMs, long timeoutMs) {
        link.call(
                opaque -> {
                    ServerInfo info = link.server();
                    boolean holds = info != null && info.modern() && waitMs > 0;
                    return new Request.Get(
                            partition.topic(),
                            group,
                            partition.partition(),
                            offset,
                            size,
                            opaque,
                            holds ? waitMs : Request.ABSENT,
                            Request.ABSENT);
                },
                timeoutMs + waitMs,
                this);
    }

    long offset() {
        return offset;
    }

    synchronized boolean isAnswered() {
        return response != null || failure != null;
    }

    /** Null if there is only a failure. */
    synchronized @Nullable Response response() {
        return response;
    }

    synchronized NetworkFailure failure() {
        NetworkFailure known = failure;
        if (known == null) {
            throw new IllegalStateException("a get without an outcome");
        }
        return known;
    }

    synchronized long tookMs() {
        return TimeUnit.NANOSECONDS.toMillis(ended - started);
    }

    /** The answer is not wanted any more; what has come is given back. */
    synchronized void forget() {
        forgotten = true;
        if (response != null) {
            response.release();
        }
    }

    @Override
    public void reply(Response answer) {
        synchronized (this) {
            if (forgotten) {
                answer.release();
                return;
            }
            ended = System.nanoTime();
            response = answer;
        }
        arrived.run();
    }

    @Override
    public void failed(NetworkFailure why) {
        synchronized (this) {
            if (forgotten) {
                return;
            }
            ended = System.nanoTime();
            failure = why;
        }
        arrived.run();
    }
}
