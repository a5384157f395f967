package io.metaq.broker.http;

import io.metaq.message.BodyKind;
import io.metaq.protocol.Status;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code GET …/messages/{offset}}: one message, its payload as it is. */
final class MessageEndpoint implements Route.Endpoint {
    /** Whatever the payload is. */
    static final String AS_IT_IS = "*/*";

    /** More than these in one header is too much for many clients. */
    private static final int LONGEST_HEADER = 16 * 1024;

    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String BYTES = "application/octet-stream";
    private static final String OBJECT = "application/x-java-serialized-object";

    private final HttpParts parts;

    MessageEndpoint(HttpParts parts) {
        this.parts = parts;
    }

    @Override
    public CompletableFuture<HttpReply> handle(Exchange exchange) {
        String topic = TopicNames.check(exchange.path("topic"));
        PartitionReader reader = new PartitionReader(exchange, parts.config(), topic, exchange.pathNumber("partition"));
        long offset = exchange.pathOffset("offset");
        boolean document = exchange.wanted().equals(Json.CONTENT_TYPE);
        return reader.read(new PartitionReader.Wish(
                        offset, Long.MAX_VALUE, 1, parts.config().maxTransferSize(), 0))
                .thenCompose(page -> {
                    if (page.count() == 0) {
                        throw HttpFailure.of(Status.NOT_FOUND, "there is no message at offset " + offset + " yet");
                    }
                    return document
                            ? document(exchange, page)
                            : payload(exchange, page.messages().get(0));
                });
    }

    private CompletableFuture<HttpReply> document(Exchange exchange, Page page) {
        List<StoredAt> messages = new ArrayList<>(page.messages());
        return new LargePayloads(exchange, parts.config())
                .resolve(messages, 0)
                .thenCompose(done -> exchange.work(
                        ReadEndpoint.bytes(messages.get(0)),
                        () -> HttpReply.json(json -> MessageWriter.write(json, messages.get(0)))));
    }

    private CompletableFuture<HttpReply> payload(Exchange exchange, StoredAt message) {
        HttpHeaders headers = headers(message);
        ByteBuffer payload = message.payload();
        if (payload == null) {
            return stream(exchange, message, headers);
        }
        boolean structured = message.kind() == BodyKind.MAP || message.kind() == BodyKind.STREAM;
        byte[] bytes = structured ? Json.bytes(json -> MessageWriter.writeBody(json, message)) : copy(payload);
        return CompletableFuture.completedFuture(new HttpReply(HttpResponseStatus.OK, headers, bytes));
    }

    private static byte[] copy(ByteBuffer payload) {
        byte[] bytes = new byte[payload.remaining()];
        payload.get(payload.position(), bytes);
        return bytes;
    }

    /** A payload in chunks, of any length. */
    private CompletableFuture<HttpReply> stream(Exchange exchange, StoredAt message, HttpHeaders headers) {
        LargePayloads large = new LargePayloads(exchange, parts.config());
        LargePayloads.Chunks chunks = LargePayloads.of(message);
        if (message.kind() == BodyKind.MAP || message.kind() == BodyKind.STREAM) {
            headers.set(HttpHeaderNames.CONTENT_TYPE, BYTES);
        }
        return large.chunk(chunks, 0).thenCompose(first -> {
            if (first.length == 0 && chunks.length() > 0) {
                throw HttpFailure.of(HttpResponseStatus.GONE, Status.NOT_FOUND, "the payload of this message is lost")
                        .with(json -> json.writeNumberField("nextOffset", message.nextOffset()));
            }
            Streaming stream = Streaming.begin(exchange, headers, chunks.length());
            return send(large, chunks, first, 0, chunks.length(), stream);
        });
    }

    private static CompletableFuture<HttpReply> send(
            LargePayloads large, LargePayloads.Chunks chunks, byte[] bytes, int number, long left, Streaming stream) {
        if (bytes.length == 0 || bytes.length > left) {
            throw HttpFailure.of(Status.FAILED, "a part of the payload is lost");
        }
        return stream.write(bytes).thenCompose(done -> {
            long stillLeft = left - bytes.length;
            return stillLeft == 0
                    ? stream.end()
                    : large.chunk(chunks, number + 1)
                            .thenCompose(next -> send(large, chunks, next, number + 1, stillLeft, stream));
        });
    }

    private static HttpHeaders headers(StoredAt message) {
        HttpHeaders headers = new DefaultHttpHeaders();
        headers.set("Metaq-Id", Long.toString(message.id()))
                .set("Metaq-Partition", message.partition())
                .set("Metaq-Offset", message.offset())
                .set(ReadEndpoint.NEXT_OFFSET, message.nextOffset())
                .set("Metaq-Type", message.type())
                // Whoever published it said what it is: it must not become a page of the broker's.
                .set("Content-Security-Policy", "default-src 'none'; sandbox")
                .set(HttpHeaderNames.CONTENT_TYPE, contentType(message));
        Content content = message.content();
        json(headers, PublishEndpoint.HEADERS_HEADER, json -> Headers.write(json, content.block(), message.id()));
        json(headers, PublishEndpoint.PROPERTIES_HEADER, json -> MessageWriter.map(json, content.properties()));
        return headers;
    }

    private static void json(HttpHeaders headers, String name, Json.Writing value) {
        String text = Json.ascii(value);
        if (text.length() > LONGEST_HEADER) {
            headers.add("Metaq-Omitted", name);
        } else {
            headers.set(name, text);
        }
    }

    private static String contentType(StoredAt message) {
        return switch (message.kind()) {
            case TEXT, NULL_TEXT -> TEXT;
            case MAP, STREAM -> Json.CONTENT_TYPE;
            case OBJECT -> OBJECT;
            default -> {
                Object own = message.content().properties().get(PublishEndpoint.CONTENT_TYPE);
                yield own instanceof String type && type.matches("[!-~]+/[ -~]+") ? type : BYTES;
            }
        };
    }
}
