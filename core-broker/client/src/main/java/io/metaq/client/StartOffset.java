package io.metaq.client;

import io.metaq.client.net.Link;
import io.metaq.client.net.ServerInfo;
import io.metaq.protocol.Request;
import io.metaq.protocol.Response;
import io.metaq.protocol.Status;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Finds the byte position of a start. A partition without data begins at 0. */
final class StartOffset {

    private StartOffset() {}

    static CompletableFuture<Long> resolve(
            Link link, BrokerAddress server, TopicPartition partition, String group, Start start, long timeoutMs) {
        if (start instanceof Start.Offset fixed) {
            return CompletableFuture.completedFuture(fixed.offset());
        }
        return Calls.identify(link, server, "offset", timeoutMs).thenCompose(info -> {
            if (start instanceof Start.Time && !info.modern()) {
                throw Failures.needsModern("a start by time", server);
            }
            return Calls.result(
                            link, server, "offset", timeoutMs, opaque -> request(info, partition, group, start, opaque))
                    .thenApply(result -> read(result, server, partition));
        });
    }

    private static Request request(ServerInfo info, TopicPartition partition, String group, Start start, int opaque) {
        boolean last = start instanceof Start.Last;
        Request.@Nullable Edge edge = null;
        if (info.modern() && !(start instanceof Start.Time)) {
            edge = last ? Request.Edge.LAST : Request.Edge.FIRST;
        }
        return new Request.Offset(
                partition.topic(),
                group,
                partition.partition(),
                // Without options a broker answers with the start of the segment that holds the offset, or with the
                // end.
                last ? Long.MAX_VALUE : 0,
                opaque,
                start instanceof Start.Time time ? time.epochMs() : Request.ABSENT,
                edge);
    }

    private static long read(Response.Result result, BrokerAddress server, TopicPartition partition) {
        if (result.code() == Status.NOT_FOUND.code()) {
            return 0;
        }
        if (!result.ok()) {
            throw Failures.status("offset", result.code(), result.text(), server, partition);
        }
        try {
            return Long.parseLong(result.text().strip());
        } catch (NumberFormatException e) {
            throw new MetaqException("offset: " + server + " answered '" + result.text() + "'", e);
        }
    }
}
