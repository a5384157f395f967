package io.metaq.tck.languages;

import io.metaq.client.FetchedBatch;
import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.Producer;
import io.metaq.client.Puller;
import io.metaq.message.BodyKind;
import io.metaq.message.HeaderField;
import io.metaq.message.MessageBody;
import io.metaq.message.MessageFlags;
import io.metaq.message.PropertyBlock;
import io.metaq.message.PropertyBlockWriter;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The Java client, which leaves bodies to its user: this one writes and reads them by the message module. Reads by offset. */
final class JavaClientParty implements Party {
    private static final int FETCH = 1 << 20;

    private final MetaqClient client;

    JavaClientParty(int port) {
        client = MetaqClient.builder().servers("127.0.0.1:" + port).build();
    }

    @Override
    public void send(String queue, List<Described> messages) {
        try (Producer producer = client.producer().build()) {
            for (Described described : messages) {
                PropertyBlockWriter block = block(described);
                byte[] body = block.join(ByteBuffer.wrap(payload(described)));
                producer.send(Message.of(queue, body).flag(block.flags()));
            }
        }
    }

    private static PropertyBlockWriter block(Described described) {
        long now = System.currentTimeMillis();
        Map<String, Object> headers = described.headers();
        PropertyBlockWriter block = new PropertyBlockWriter()
                .header(HeaderField.TIMESTAMP, now)
                .header(HeaderField.BODY_KIND, kind(described.kind()).number())
                .header(HeaderField.TYPE, headers.get("type"))
                .header(HeaderField.CORRELATION_ID, headers.get("correlationId"))
                .header(HeaderField.REPLY_TO, headers.get("replyTo"))
                .header(HeaderField.PRIORITY, headers.get("priority"))
                .header(HeaderField.GROUP_ID, headers.get("groupId"))
                .header(HeaderField.GROUP_SEQ, headers.get("groupSeq"));
        if (headers.containsKey("persistent")) {
            block.header(HeaderField.DELIVERY_MODE, 1);
        }
        if (headers.get("timeToLive") instanceof Long timeToLive) {
            block.header(HeaderField.EXPIRATION, now + timeToLive);
        }
        if (headers.get("delay") instanceof Long delay) {
            block.header(HeaderField.DELIVERY_TIME, now + delay);
        }
        if (headers.get("correlationIdBytes") instanceof String digits) {
            block.header(HeaderField.CORRELATION_ID, HexFormat.of().parseHex(digits));
        }
        Described.values(described.properties()).forEach(block::property);
        return block;
    }

    private static BodyKind kind(String name) {
        return switch (name) {
            case "none" -> BodyKind.MESSAGE;
            case "nulltext" -> BodyKind.NULL_TEXT;
            default -> BodyKind.valueOf(name.toUpperCase(Locale.ROOT));
        };
    }

    private static byte[] payload(Described described) {
        Object body = described.body();
        if (described.size() > 0) {
            return described.generatedBody();
        }
        return switch (described.kind()) {
            case "text" -> MessageBody.encodeText((String) Objects.requireNonNull(body));
            case "bytes", "object" -> HexFormat.of().parseHex((String) Objects.requireNonNull(body));
            case "map" -> MessageBody.encodeMap(Described.values(Objects.requireNonNull(body)));
            case "stream" -> MessageBody.encodeStream(Described.plainValues(Objects.requireNonNull(body)));
            default -> new byte[0];
        };
    }

    @Override
    public List<Described> receive(String queue, int count) {
        List<Described> received = new ArrayList<>();
        try (Puller puller = client.puller(queue, 0)) {
            long offset = 0;
            while (received.size() < count) {
                try (FetchedBatch batch = puller.fetch(offset, FETCH, Duration.ofSeconds(10))) {
                    if (batch.isEmpty()) {
                        break;
                    }
                    batch.forEach(message -> received.add(described(message.flag(), ByteBuffer.wrap(message.data()))));
                    offset = batch.nextOffset();
                }
            }
        }
        return received;
    }

    private Described described(int flag, ByteBuffer body) {
        PropertyBlock block = PropertyBlock.ofBody(flag, body);
        ByteBuffer payload = MessageBody.payload(flag, body);
        if (block == null) {
            return Described.ofBytes("bytes", array(payload), Map.of(), List.of());
        }
        if (MessageFlags.has(flag, MessageFlags.LARGE)) {
            payload = chunks(block, payload);
        }
        Map<String, Object> headers = headers(block);
        List<List<Object>> properties = new ArrayList<>();
        block.forEachProperty((name, value) -> {
            if (!name.startsWith("JMSX")) {
                properties.add(Described.entry(name, value));
            }
        });
        BodyKind kind = BodyKind.of(block);
        String name = kind == BodyKind.MESSAGE
                ? "none"
                : kind.name().toLowerCase(Locale.ROOT).replace("_", "");
        return switch (kind) {
            case TEXT, BYTES -> Described.ofBytes(name, array(payload), headers, properties);
            case OBJECT -> new Described(name, HexFormat.of().formatHex(array(payload)), 0, headers, properties);
            case MAP -> {
                List<List<Object>> entries = new ArrayList<>();
                MessageBody.decodeMap(payload).forEach((key, value) -> entries.add(Described.entry(key, value)));
                yield new Described(name, entries, 0, headers, properties);
            }
            case STREAM -> {
                List<List<Object>> values = new ArrayList<>();
                MessageBody.decodeStream(payload).forEach(value -> values.add(Described.pair(value)));
                yield new Described(name, values, 0, headers, properties);
            }
            default -> new Described(name, null, 0, headers, properties);
        };
    }

    /** A payload whose parts are stored elsewhere. */
    private ByteBuffer chunks(PropertyBlock block, ByteBuffer offsets) {
        String topic = Objects.requireNonNull(block.headerString(HeaderField.LARGE_TOPIC));
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        try (Puller puller = client.puller(topic, block.headerInt(HeaderField.LARGE_PARTITION, 0))) {
            while (offsets.hasRemaining()) {
                try (FetchedBatch batch = puller.fetch(offsets.getLong(), FETCH + 20, Duration.ofSeconds(10))) {
                    whole.writeBytes(batch.iterator().next().data());
                }
            }
        }
        return ByteBuffer.wrap(whole.toByteArray());
    }

    private static byte[] array(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(buffer.position(), bytes);
        return bytes;
    }

    private static Map<String, Object> headers(PropertyBlock block) {
        Map<String, Object> headers = new HashMap<>();
        put(headers, "type", block.header(HeaderField.TYPE));
        put(headers, "replyTo", block.header(HeaderField.REPLY_TO));
        put(headers, "groupId", block.header(HeaderField.GROUP_ID));
        if (block.header(HeaderField.GROUP_SEQ) != null) {
            headers.put("groupSeq", block.headerLong(HeaderField.GROUP_SEQ, 0));
        }
        if (block.headerLong(HeaderField.PRIORITY, 4) != 4) {
            headers.put("priority", block.headerLong(HeaderField.PRIORITY, 4));
        }
        if (block.headerLong(HeaderField.DELIVERY_MODE, 2) == 1) {
            headers.put("persistent", false);
        }
        long sent = block.headerLong(HeaderField.TIMESTAMP, 0);
        if (block.header(HeaderField.EXPIRATION) != null) {
            headers.put("timeToLive", block.headerLong(HeaderField.EXPIRATION, 0) - sent);
        }
        // JMS writes the moment of the send where there is no delay.
        if (block.headerLong(HeaderField.DELIVERY_TIME, 0) > sent) {
            headers.put("delay", block.headerLong(HeaderField.DELIVERY_TIME, 0) - sent);
        }
        Object correlation = block.header(HeaderField.CORRELATION_ID);
        if (correlation instanceof byte[] bytes) {
            headers.put("correlationIdBytes", HexFormat.of().formatHex(bytes));
        } else {
            put(headers, "correlationId", correlation);
        }
        return headers;
    }

    private static void put(Map<String, Object> headers, String name, @Nullable Object value) {
        if (value != null) {
            headers.put(name, value);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
