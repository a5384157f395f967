package io.metaq.broker.http;

import io.metaq.protocol.Request;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code GET /v1/topics/{topic}/partitions/{partition}/messages}: messages from an offset on. */
final class ReadEndpoint implements Route.Endpoint {
    /** Messages as they are stored, as {@code get} gives them. */
    static final String STORED = "application/octet-stream";

    /** A message on each line, to the end of what there is. */
    static final String LINES = "application/x-ndjson";

    static final String NEXT_OFFSET = "Metaq-Next-Offset";

    private static final int USUAL_MESSAGES = 100;
    private static final int MOST_MESSAGES = 10_000;
    private static final int LEAST_BYTES = 1;
    private static final String TIME = "time:";

    private final HttpParts parts;

    ReadEndpoint(HttpParts parts) {
        this.parts = parts;
    }

    @Override
    public CompletableFuture<HttpReply> handle(Exchange exchange) {
        String topic = TopicNames.check(exchange.path("topic"));
        int partition = exchange.pathNumber("partition");
        Query query = exchange.query();
        String type = exchange.wanted();
        boolean lines = type.equals(LINES);
        int messages = query.number("max", lines ? Integer.MAX_VALUE : USUAL_MESSAGES, 1, Integer.MAX_VALUE);
        int mostBytes = parts.config().maxTransferSize();
        int bytes = Math.min(mostBytes, query.number("maxBytes", mostBytes, LEAST_BYTES, Integer.MAX_VALUE));
        int wait = query.number("wait", 0, 0, Integer.MAX_VALUE);
        PartitionReader reader = new PartitionReader(exchange, parts.config(), topic, partition);
        return place(query.text("offset", "first"), "offset", reader)
                .thenCombine(
                        end(query, reader),
                        (from, end) -> new PartitionReader.Wish(
                                from, end, lines ? messages : Math.min(messages, MOST_MESSAGES), bytes, wait))
                .thenCompose(wish -> lines
                        ? new MessageLines(exchange, parts.config(), reader, wish).start()
                        : reader.read(wish)
                                .thenCompose(
                                        page -> type.equals(STORED) ? raw(page) : json(exchange, topic, page, bytes)));
    }

    private static CompletableFuture<Long> end(Query query, PartitionReader reader) {
        String until = query.text("until");
        return until == null ? CompletableFuture.completedFuture(Long.MAX_VALUE) : place(until, "until", reader);
    }

    /** Completes with the offset that the word stands for. */
    static CompletableFuture<Long> place(String word, String parameter, PartitionReader reader) {
        if (word.equals("first")) {
            return reader.edge(Request.Edge.FIRST);
        } else if (word.equals("last")) {
            return reader.edge(Request.Edge.LAST);
        } else if (word.startsWith(TIME)) {
            return reader.atTime(Query.number(parameter, word.substring(TIME.length()), 0, Long.MAX_VALUE));
        } else if (word.isEmpty() || !Character.isDigit(word.charAt(0))) {
            throw HttpFailure.badRequest(parameter + " is first, last, an offset or time:MS, not '" + word + "'");
        }
        return CompletableFuture.completedFuture(Query.number(parameter, word, 0, Long.MAX_VALUE));
    }

    private static CompletableFuture<HttpReply> raw(Page page) {
        return CompletableFuture.completedFuture(HttpReply.bytes(HttpResponseStatus.OK, STORED, page.stored())
                .header(NEXT_OFFSET, Long.toString(page.nextOffset())));
    }

    private CompletableFuture<HttpReply> json(Exchange exchange, String topic, Page page, int budget) {
        List<StoredAt> messages = page.messages();
        return new LargePayloads(exchange, parts.config())
                .resolve(messages, budget)
                .thenCompose(done -> exchange.work(
                        messages.stream().mapToInt(ReadEndpoint::bytes).sum(), () -> document(topic, page, messages)));
    }

    static int bytes(StoredAt message) {
        return message.payload() == null ? 0 : message.payload().remaining();
    }

    private static HttpReply document(String topic, Page page, List<StoredAt> messages) {
        return HttpReply.json(json -> {
                    json.writeStartObject();
                    json.writeStringField("topic", topic);
                    json.writeNumberField("partition", page.partition());
                    json.writeArrayFieldStart("messages");
                    for (StoredAt message : messages) {
                        MessageWriter.write(json, message);
                    }
                    json.writeEndArray();
                    json.writeNumberField("nextOffset", page.nextOffset());
                    json.writeEndObject();
                })
                .header(NEXT_OFFSET, Long.toString(page.nextOffset()));
    }
}
