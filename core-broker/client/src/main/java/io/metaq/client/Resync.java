package io.metaq.client;

import io.metaq.client.net.Link;
import io.metaq.client.net.NetworkFailure;
import io.metaq.client.net.ReplyHandler;
import io.metaq.client.net.Transport.Purpose;
import io.metaq.protocol.Request;
import io.metaq.protocol.Response;
import io.metaq.protocol.Status;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32;

/**
 * Finds the next good message behind damage whose header cannot be trusted: looks, byte by byte, for a header whose body matches its
 * checksum. Ends at the end of the log at the latest.
 */
final class Resync implements ReplyHandler {

    private static final int WINDOW = 1 << 20;
    private static final int STEP = WINDOW / 2;

    private final Link link;
    private final BrokerAddress server;
    private final TopicPartition partition;
    private final String group;
    private final int timeoutMs;
    private final CompletableFuture<Long> found = new CompletableFuture<>();
    private long from;

    private Resync(ClientCore core, TopicPartition partition, String group, long from) {
        this.server = core.brokers().known(partition);
        this.link = core.brokers().link(server, Purpose.CONSUME);
        this.partition = partition;
        this.group = group;
        this.timeoutMs = (int) core.requestTimeout().toMillis();
        this.from = from;
    }

    /** @param from first position to try */
    static CompletableFuture<Long> find(ClientCore core, TopicPartition partition, String group, long from) {
        Resync search = new Resync(core, partition, group, from);
        search.ask();
        return search.found;
    }

    private void ask() {
        link.call(
                opaque -> new Request.Get(
                        partition.topic(),
                        group,
                        partition.partition(),
                        from,
                        WINDOW,
                        opaque,
                        Request.ABSENT,
                        Request.ABSENT),
                timeoutMs,
                this);
    }

    @Override
    public void failed(NetworkFailure failure) {
        found.completeExceptionally(Failures.network("get", failure, server, partition));
    }

    @Override
    public void reply(Response response) {
        if (response instanceof Response.Value value) {
            ByteBuf body = value.body();
            int at = firstGood(body.nioBuffer());
            int length = body.readableBytes();
            body.release();
            step(at, length);
        } else if (response instanceof Response.Result result) {
            end(result);
        }
    }

    private void step(int at, int length) {
        if (at >= 0) {
            found.complete(from + at);
        } else {
            // Half of a window is looked at twice, for a message that the window's end cut.
            from += length < WINDOW ? Math.max(1, length) : STEP;
            ask();
        }
    }

    private void end(Response.Result result) {
        if (result.code() == Status.NOT_FOUND.code()) {
            found.complete(from);
        } else if (result.code() == Status.MOVED.code()) {
            found.complete(Long.parseLong(result.text().strip()));
        } else {
            found.completeExceptionally(Failures.status("get", result.code(), result.text(), server, partition));
        }
    }

    /** @return position of the first whole message with a right checksum, -1 if there is none */
    static int firstGood(ByteBuffer bytes) {
        CRC32 crc = new CRC32();
        int end = bytes.limit();
        for (int at = 0; at + StorageFormat.HEADER <= end; at++) {
            if (isSound(bytes, at, crc)) {
                return at;
            }
        }
        return -1;
    }

    /** Any eight zeros look like a message without a body, so those do not count: better lose one than make one up. */
    private static boolean isSound(ByteBuffer bytes, int at, CRC32 crc) {
        int room = bytes.limit() - at - StorageFormat.HEADER;
        if (room <= 0) {
            return false;
        }
        int length = bytes.getInt(at);
        return length > 0 && length <= room && matches(bytes, at, length, crc);
    }

    private static boolean matches(ByteBuffer bytes, int at, int length, CRC32 crc) {
        ByteBuffer body = bytes.slice(at + StorageFormat.HEADER, length);
        crc.reset();
        crc.update(body);
        return ((int) crc.getValue() & 0x7FFFFFFF) == bytes.getInt(at + 4);
    }
}
