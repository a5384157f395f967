package io.metaq.client.net;

import io.metaq.protocol.Request;
import io.metaq.protocol.Response;
import io.netty.util.collection.IntObjectHashMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests of one connection that wait for their reply, by opaque. Belongs to the event loop. */
final class PendingReplies {

    private final IntObjectHashMap<Waiting> waiting = new IntObjectHashMap<>();
    private int nextOpaque = 1;
    private long nextDeadline = Long.MAX_VALUE;

    private record Waiting(ReplyHandler handler, long deadlineNanos) {}

    /** Takes a place for a request and returns its opaque. */
    int add(ReplyHandler handler, long deadlineNanos) {
        int opaque = nextOpaque;
        // A reply that never came keeps its opaque for a while: do not give it to another request.
        while (opaque == Request.NO_OPAQUE || waiting.containsKey(opaque)) {
            opaque++;
        }
        nextOpaque = opaque + 1;
        waiting.put(opaque, new Waiting(handler, deadlineNanos));
        nextDeadline = Math.min(nextDeadline, deadlineNanos);
        return opaque;
    }

    /** Hands a reply over; one that nobody waits for any more is released. */
    void reply(Response response) {
        Waiting found = waiting.remove(response.opaque());
        if (found == null) {
            response.release();
        } else {
            found.handler.reply(response);
        }
    }

    @Nullable
    ReplyHandler remove(int opaque) {
        Waiting found = waiting.remove(opaque);
        return found == null ? null : found.handler;
    }

    /** Fails what is over its time. */
    void expire(long nowNanos, NetworkFailure failure) {
        if (nowNanos < nextDeadline) {
            return;
        }
        long earliest = Long.MAX_VALUE;
        List<Integer> late = new ArrayList<>();
        for (IntObjectHashMap.PrimitiveEntry<Waiting> entry : waiting.entries()) {
            if (entry.value().deadlineNanos <= nowNanos) {
                late.add(entry.key());
            } else {
                earliest = Math.min(earliest, entry.value().deadlineNanos);
            }
        }
        nextDeadline = earliest;
        fail(late, failure);
    }

    /** Fails everything, in the order of sending. */
    void failAll(NetworkFailure failure) {
        List<Integer> all = new ArrayList<>(waiting.keySet());
        all.sort(null);
        fail(all, failure);
    }

    private void fail(List<Integer> opaques, NetworkFailure failure) {
        for (Integer opaque : opaques) {
            ReplyHandler handler = remove(opaque);
            if (handler != null) {
                handler.failed(failure);
            }
        }
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }
}
