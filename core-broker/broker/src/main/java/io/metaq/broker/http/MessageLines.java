package io.metaq.broker.http;

import io.metaq.broker.config.BrokerConfig;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Messages as JSON, one on each line, page after page: the next one is read when the one before it has left, until enough were sent
 * or none came for the time that the client would wait.
 */
final class MessageLines {
    private static final int LF = 10;

    private final Exchange exchange;
    private final BrokerConfig config;
    private final PartitionReader reader;
    private PartitionReader.Wish wish;
    private @Nullable Streaming stream;

    MessageLines(Exchange exchange, BrokerConfig config, PartitionReader reader, PartitionReader.Wish wish) {
        this.exchange = exchange;
        this.config = config;
        this.reader = reader;
        this.wish = wish;
    }

    CompletableFuture<HttpReply> start() {
        return reader.read(wish).thenCompose(this::next);
    }

    private CompletableFuture<HttpReply> next(Page page) {
        Streaming begun = stream == null ? begin() : stream;
        stream = begun;
        if (page.count() == 0) {
            return begun.end();
        }
        List<StoredAt> messages = page.messages();
        return new LargePayloads(exchange, config)
                .resolve(messages, wish.bytes())
                .thenCompose(done -> exchange.work(
                        messages.stream().mapToInt(ReadEndpoint::bytes).sum(), () -> lines(messages)))
                .thenCompose(begun::write)
                // Not at once: a backlog that is read without ever waiting would pile up calls within calls.
                .thenComposeAsync(done -> readOn(page), exchange.connection()::execute);
    }

    private CompletableFuture<HttpReply> readOn(Page page) {
        wish = new PartitionReader.Wish(
                page.nextOffset(), wish.end(), wish.messages() - page.count(), wish.bytes(), wish.waitMs());
        return reader.read(wish)
                // What cannot be read after all ends the answer; who asks again from there is told why.
                .exceptionally(failure -> Page.empty(page.partition(), page.nextOffset()))
                .thenCompose(this::next);
    }

    private Streaming begin() {
        HttpHeaders headers = new DefaultHttpHeaders();
        headers.set(HttpHeaderNames.CONTENT_TYPE, ReadEndpoint.LINES);
        return Streaming.begin(exchange, headers, Streaming.UNKNOWN_LENGTH);
    }

    private static byte[] lines(List<StoredAt> messages) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (StoredAt message : messages) {
            out.writeBytes(Json.bytes(json -> MessageWriter.write(json, message)));
            out.write(LF);
        }
        return out.toByteArray();
    }
}
