package io.metaq.client;

import io.metaq.client.net.Link;
import io.metaq.client.net.NetworkFailure;
import io.metaq.client.net.ReplyHandler;
import io.metaq.client.net.ServerInfo;
import io.metaq.protocol.Request;
import io.metaq.protocol.Response;
import io.metaq.protocol.Status;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One fetch from its first request to its outcome: follows the broker when it moves the offset (301), asks for more when not even one
 * message came whole, and puts a message together that is bigger than what the broker sends at a time. Runs on the link's loop.
 */
final class PartitionFetch implements ReplyHandler {

    private static final int MAX_MOVES = 4;
    private static final int SMALLEST = 4 * 1024;

    private final Link link;
    private final BrokerAddress server;
    private final TopicPartition partition;
    private final Asked asked;
    private final Consumer<Fetched> outcome;
    private long offset;
    private int size;
    private int moves;
    private @Nullable ByteBuf collected;

    /**
     * What is wanted.
     *
     * @param group name told to the broker
     * @param maxBytes size of the first request
     * @param limitBytes size up to which requests and messages may grow
     * @param waitMs how long a 2.x broker may hold the request at the end
     * @param timeoutMs for each answer, beyond the wait
     */
    record Asked(String group, int maxBytes, int limitBytes, int waitMs, int timeoutMs) {}

    private PartitionFetch(
            Link link,
            BrokerAddress server,
            TopicPartition partition,
            long offset,
            Asked asked,
            Consumer<Fetched> outcome) {
        this.link = link;
        this.server = server;
        this.partition = partition;
        this.offset = offset;
        this.asked = asked;
        this.outcome = outcome;
        this.size = Math.max(1, Math.min(asked.maxBytes, asked.limitBytes));
    }

    static void start(
            Link link,
            BrokerAddress server,
            TopicPartition partition,
            long offset,
            Asked asked,
            Consumer<Fetched> outcome) {
        new PartitionFetch(link, server, partition, offset, asked, outcome).ask();
    }

    private void ask() {
        ByteBuf part = collected;
        long at = part == null ? offset : offset + part.readableBytes();
        int bytes = part == null ? size : part.writableBytes();
        link.call(opaque -> get(at, bytes, opaque), asked.timeoutMs + (long) asked.waitMs, this);
    }

    private Request get(long at, int bytes, int opaque) {
        ServerInfo info = link.server();
        boolean holds = info != null && info.modern() && asked.waitMs > 0 && collected == null;
        return new Request.Get(
                partition.topic(),
                asked.group,
                partition.partition(),
                at,
                bytes,
                opaque,
                holds ? asked.waitMs : Request.ABSENT,
                Request.ABSENT);
    }

    @Override
    public void failed(NetworkFailure failure) {
        end(new Fetched.Failed(offset, Failures.network("get", failure, server, partition)));
    }

    @Override
    public void reply(Response response) {
        if (response instanceof Response.Value value) {
            data(value.body());
        } else if (response instanceof Response.Result result) {
            refused(result);
        }
    }

    private void data(ByteBuf body) {
        ByteBuf part = collected;
        if (part != null) {
            part.writeBytes(body, Math.min(body.readableBytes(), part.writableBytes()));
            body.release();
            if (part.isWritable()) {
                ask();
            } else {
                collected = null;
                end(new Fetched.Data(part, offset, 1));
            }
            return;
        }
        WholeMessages whole = WholeMessages.in(body, asked.limitBytes - StorageFormat.HEADER);
        if (whole.count() > 0) {
            end(new Fetched.Data(body.slice(body.readerIndex(), whole.bytes()), offset, whole.count()));
        } else if (whole.damaged()) {
            body.release();
            end(new Fetched.Failed(
                    offset, Failures.corrupt("impossible message header", server, partition, offset, -1)));
        } else if (!body.isReadable()) {
            body.release();
            end(new Fetched.End(offset));
        } else {
            partOfOne(body, whole.neededBytes());
        }
    }

    /**
     * The slice ends within its first message. If more was asked for than came, the broker does not send as much at a time as the
     * message is long: the rest is collected by further requests.
     */
    private void partOfOne(ByteBuf body, int needed) {
        int came = body.readableBytes();
        if (needed > 0 && came < size && size >= needed) {
            collected = body.alloc().directBuffer(needed, needed).writeBytes(body);
            body.release();
            ask();
            return;
        }
        body.release();
        int larger = (int) Math.min(asked.limitBytes, Math.max(needed, Math.max(SMALLEST, 2L * size)));
        if (larger <= size) {
            // Not even a header, from a broker that was asked for plenty: what is being written now. Come again.
            end(new Fetched.End(offset));
            return;
        }
        size = larger;
        ask();
    }

    private void refused(Response.Result result) {
        boolean assembling = collected != null;
        if (result.code() == Status.NOT_FOUND.code() || assembling) {
            // While a message is put together this means that its rest is not readable yet.
            end(new Fetched.End(offset));
        } else if (result.code() == Status.MOVED.code()) {
            moved(result.text());
        } else {
            end(new Fetched.Failed(offset, Failures.status("get", result.code(), result.text(), server, partition)));
        }
    }

    private void moved(String text) {
        long target;
        try {
            target = Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            end(new Fetched.Failed(
                    offset, new MetaqException("get: " + server + " moved the offset to '" + text + "'", e)));
            return;
        }
        boolean again = target != offset && ++moves <= MAX_MOVES;
        offset = target;
        if (again) {
            ask();
        } else {
            end(new Fetched.End(offset));
        }
    }

    private void end(Fetched fetched) {
        ByteBuf part = collected;
        collected = null;
        if (part != null) {
            part.release();
        }
        outcome.accept(fetched);
    }
}
