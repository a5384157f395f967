package io.metaq.broker.http;

import io.metaq.message.BodyKind;
import io.metaq.protocol.Durability;
import io.metaq.protocol.Request;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/topics/{topic}/messages}: one message as it is, or a batch in JSON. */
final class PublishEndpoint implements Route.Endpoint {
    /** Request headers that say in JSON what the parameters say in words. */
    static final String HEADERS_HEADER = "Metaq-Headers";

    static final String PROPERTIES_HEADER = "Metaq-Properties";

    /** The property that keeps a type of content which MetaQ has no kind for. */
    static final String CONTENT_TYPE = "contentType";

    private static final String PROPERTY_PREFIX = "property.";
    private static final int MOST_MESSAGES = 10_000;
    private static final String FIELDS = "messages, key, partition, durability, producer, seq";

    private final HttpParts parts;

    PublishEndpoint(HttpParts parts) {
        this.parts = parts;
    }

    static String[] parameters() {
        List<String> names = new ArrayList<>(List.of(Headers.NAMES.split(", ")));
        names.addAll(List.of("key", "partition", "delay", "ttl", "attribute", "durability", "producer", "seq"));
        names.add(PROPERTY_PREFIX);
        return names.toArray(String[]::new);
    }

    @Override
    public CompletableFuture<HttpReply> handle(Exchange exchange) {
        String topic = TopicNames.check(exchange.path("topic"));
        ByteBuf body = exchange.body();
        boolean json = exchange.contentType().equals(Json.CONTENT_TYPE);
        return exchange.work(body.readableBytes(), () -> json ? batch(exchange) : raw(exchange))
                .thenCompose(batch -> new Publishing(parts, exchange, topic, batch).start())
                .thenApply(Publishing::reply);
    }

    /** Common to all messages of a document; the fields may stand behind the messages. */
    private static final class Options {
        Durability durability = Durability.TOPIC;

        @Nullable
        String key;

        int partition = Request.ANY_PARTITION;
        long producer = Request.NO_PRODUCER;
        long sequence = Request.ABSENT;
    }

    private Publishing.Batch batch(Exchange exchange) {
        if (!exchange.query().all().isEmpty()) {
            throw HttpFailure.badRequest(
                    "the document says it all: parameters are for a message that is the body itself");
        }
        Options options = new Options();
        List<NewMessage.Encoded> messages = new ArrayList<>();
        long now = parts.clock().millis();
        JsonInput.read(exchange.body(), in -> {
            in.object(name -> {
                switch (name) {
                    case "messages" -> in.array(() -> message(in, now, messages));
                    case "key" -> options.key = in.isNull() ? null : in.string();
                    case "partition" -> options.partition = (int) in.number(Request.ANY_PARTITION, Integer.MAX_VALUE);
                    case "durability" -> options.durability = durability(in.string());
                    case "producer" -> options.producer = in.number(Long.MIN_VALUE, Long.MAX_VALUE);
                    case "seq" -> options.sequence = in.number(0, Long.MAX_VALUE);
                    default -> throw in.unknown(name, FIELDS);
                }
            });
            return options;
        });
        if (messages.isEmpty()) {
            throw HttpFailure.badRequest("messages is missing or empty: there is nothing to publish");
        }
        messages.replaceAll(message -> message.otherwise(options.partition, options.key));
        return new Publishing.Batch(messages, options.durability, producer(options), options.sequence);
    }

    private static long producer(Options options) {
        if ((options.producer == Request.NO_PRODUCER) != (options.sequence == Request.ABSENT)) {
            throw HttpFailure.badRequest("producer, which is not 0, and seq belong together: give both or none");
        }
        return options.producer;
    }

    private void message(JsonInput in, long now, List<NewMessage.Encoded> messages) throws IOException {
        if (messages.size() == MOST_MESSAGES) {
            throw in.tooLarge("a request has at most " + MOST_MESSAGES + " messages");
        }
        messages.add(MessageReader.read(in).encode(now));
    }

    private static Durability durability(String word) {
        return switch (word) {
            case "os" -> Durability.OS;
            case "disk" -> Durability.DISK;
            case "topic" -> Durability.TOPIC;
            default -> throw HttpFailure.badRequest("durability is os, disk or topic, not '" + word + "'");
        };
    }

    private Publishing.Batch raw(Exchange exchange) {
        NewMessage message = new NewMessage();
        Options options = new Options();
        String type = exchange.contentType();
        message.payload = ByteBufUtil.getBytes(exchange.body());
        if (type.equals("text/plain")) {
            message.kind = BodyKind.TEXT;
            checkText(exchange.charset(), message.payload);
        } else if (!type.equals("application/octet-stream")) {
            message.properties.put(CONTENT_TYPE, exchange.headers().get("Content-Type"));
        }
        fromHeaders(exchange, message);
        exchange.query().all().forEach((name, value) -> parameter(name, value, message, options));
        NewMessage.Encoded encoded = message.encode(parts.clock().millis());
        return new Publishing.Batch(List.of(encoded), options.durability, producer(options), options.sequence);
    }

    private static void checkText(@Nullable String charset, byte[] bytes) {
        if (charset != null && !charset.equalsIgnoreCase("utf-8") && !charset.equalsIgnoreCase("us-ascii")) {
            throw RequestFaults.unsupported("text is taken in UTF-8, not in " + charset);
        }
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
        } catch (CharacterCodingException e) {
            throw HttpFailure.badRequest(
                    "the text is not UTF-8; as Content-Type: application/octet-stream it is bytes");
        }
    }

    private static void fromHeaders(Exchange exchange, NewMessage message) {
        String headers = exchange.headers().get(HEADERS_HEADER);
        if (headers != null) {
            message.headers.putAll(inHeader(HEADERS_HEADER, () -> JsonInput.read(headers, Headers::read)));
        }
        String properties = exchange.headers().get(PROPERTIES_HEADER);
        if (properties != null) {
            message.properties.putAll(
                    inHeader(PROPERTIES_HEADER, () -> JsonInput.read(properties, MessageReader::values)));
        }
    }

    private static <K, V> Map<K, V> inHeader(String header, Supplier<Map<K, V>> reading) {
        try {
            return reading.get();
        } catch (HttpFailure e) {
            throw HttpFailure.badRequest("the header " + header + ": " + e.text());
        }
    }

    private static void parameter(String name, String value, NewMessage message, Options options) {
        switch (name) {
            case "key" -> message.key = value;
            case "partition" ->
                message.partition = (int) Query.number(name, value, Request.ANY_PARTITION, Integer.MAX_VALUE);
            case "delay" -> message.delayMs = Query.number(name, value, 0, Long.MAX_VALUE);
            case "ttl" -> message.timeToLiveMs = Query.number(name, value, 0, Long.MAX_VALUE);
            case "attribute" -> message.attribute = value;
            case "durability" -> options.durability = durability(value);
            case "producer" -> options.producer = Query.number(name, value, Long.MIN_VALUE, Long.MAX_VALUE);
            case "seq" -> options.sequence = Query.number(name, value, 0, Long.MAX_VALUE);
            default -> {
                if (name.startsWith(PROPERTY_PREFIX)) {
                    message.properties.put(name.substring(PROPERTY_PREFIX.length()), value);
                } else {
                    Headers.read(name, value, message.headers);
                }
            }
        }
    }
}
