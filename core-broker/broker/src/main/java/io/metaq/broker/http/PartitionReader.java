package io.metaq.broker.http;

import io.metaq.broker.config.BrokerConfig;
import io.metaq.protocol.DamagedMessageException;
import io.metaq.protocol.MessageCursor;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;
import io.metaq.protocol.StoredMessage;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

/** Reads whole messages of one partition by {@code get}, as any client does, and checks them. */
final class PartitionReader {
    /** Who reads; a broker keeps no account of it. */
    private static final String READER = "http";

    private final Exchange exchange;
    private final BrokerConfig config;
    private final String topic;
    private final int partition;

    /**
     * How much is wanted.
     *
     * @param offset of the first message
     * @param end messages from this offset on are not wanted
     * @param messages at most so many
     * @param bytes of stored messages; the first one may be larger
     * @param waitMs how long to wait if there is none yet
     */
    record Wish(long offset, long end, int messages, int bytes, int waitMs) {}

    PartitionReader(Exchange exchange, BrokerConfig config, String topic, int partition) {
        this.exchange = exchange;
        this.config = config;
        this.topic = topic;
        this.partition = partition;
    }

    private CompletableFuture<Answer> ask(IntFunction<Request> asking) {
        return exchange.ask(asking);
    }

    /** An end of the partition. Fails by 404 if there is no such partition. */
    CompletableFuture<Long> edge(Request.Edge edge) {
        return offset(opaque -> new Request.Offset(topic, READER, partition, 0, opaque, Request.ABSENT, edge));
    }

    /** The first message stored at a time, ms of the epoch, or later. */
    CompletableFuture<Long> atTime(long timeMs) {
        return offset(opaque -> new Request.Offset(topic, READER, partition, 0, opaque, timeMs, null));
    }

    private CompletableFuture<Long> offset(IntFunction<Request> asking) {
        return ask(asking).thenApply(answer -> {
            if (answer.is(Status.NOT_FOUND)) {
                throw noPartition();
            }
            return Long.parseLong(answer.ok());
        });
    }

    private HttpFailure noPartition() {
        return HttpFailure.of(Status.NOT_FOUND, "there is no partition " + partition + " of topic " + topic);
    }

    /**
     * Messages from the offset on; an empty page where there is none yet. Fails by 410 where the offset is not kept any more, by 416
     * where it lies behind the end.
     */
    CompletableFuture<Page> read(Wish wish) {
        if (wish.offset() >= wish.end() || wish.messages() == 0) {
            return CompletableFuture.completedFuture(Page.empty(partition, wish.offset()));
        }
        return get(wish.offset(), wish.bytes(), wish.waitMs()).thenCompose(answer -> {
            if (answer instanceof Answer.Slice slice) {
                return whole(wish, slice.bytes());
            } else if (answer.is(Status.NOT_FOUND)) {
                return nothingThere(wish.offset());
            }
            throw refusal(answer);
        });
    }

    private CompletableFuture<Answer> get(long offset, int bytes, int waitMs) {
        return ask(opaque -> new Request.Get(
                topic, READER, partition, offset, bytes, opaque, waitMs > 0 ? waitMs : Request.ABSENT, Request.ABSENT));
    }

    private static HttpFailure refusal(Answer answer) {
        if (answer instanceof Answer.Text text && text.status() == Status.MOVED) {
            long next = Long.parseLong(text.text());
            return HttpFailure.of(
                            Status.MOVED,
                            "what was there is not kept any more, or cannot be read: go on at offset " + next)
                    .with(json -> json.writeNumberField("nextOffset", next));
        }
        return answer.failure();
    }

    private CompletableFuture<Page> nothingThere(long offset) {
        return edge(Request.Edge.LAST).thenApply(end -> {
            if (offset > end) {
                throw HttpFailure.of(
                                HttpResponseStatus.REQUESTED_RANGE_NOT_SATISFIABLE,
                                Status.NOT_FOUND,
                                "offset " + offset + " lies behind the end, which is " + end)
                        .with(json -> json.writeNumberField("endOffset", end));
            }
            return Page.empty(partition, offset);
        });
    }

    /** Reads on until there is one whole message at least. */
    private CompletableFuture<Page> whole(Wish wish, byte[] bytes) {
        Page page = page(wish, bytes);
        if (page.count() > 0) {
            return CompletableFuture.completedFuture(page);
        }
        int needed = StoredMessage.HEADER_LENGTH;
        if (bytes.length >= needed) {
            int length = ByteBuffer.wrap(bytes).getInt();
            if (length < 0
                    || length > Math.max(config.maxMessageSize(), config.admin().maxBodySize())) {
                throw notAMessage(wish.offset());
            }
            needed += length;
        }
        if (bytes.length >= needed) {
            throw notAMessage(wish.offset());
        }
        return get(wish.offset() + bytes.length, needed - bytes.length, 0).thenCompose(answer -> {
            if (answer instanceof Answer.Slice more) {
                byte[] joined = Arrays.copyOf(bytes, bytes.length + more.bytes().length);
                System.arraycopy(more.bytes(), 0, joined, bytes.length, more.bytes().length);
                return whole(wish, joined);
            } else if (answer.is(Status.NOT_FOUND)) {
                throw notAMessage(wish.offset());
            }
            throw refusal(answer);
        });
    }

    private Page page(Wish wish, byte[] bytes) {
        MessageCursor cursor = new MessageCursor(Unpooled.wrappedBuffer(bytes));
        int length = 0;
        int count = 0;
        try {
            while (count < wish.messages() && wish.offset() + length < wish.end() && cursor.next() && cursor.intact()) {
                length = cursor.consumed();
                count++;
            }
        } catch (DamagedMessageException e) {
            // What stands before it is whole; the next request begins at it, and is told.
            return new Page(partition, wish.offset(), bytes, length, count);
        }
        return new Page(partition, wish.offset(), bytes, length, count);
    }

    private static HttpFailure notAMessage(long offset) {
        return HttpFailure.badRequest("no message begins at offset " + offset
                + ", or it is damaged: go on with a nextOffset that you were given");
    }
}
