package io.metaq.broker.http;

import io.metaq.broker.config.BrokerConfig;
import io.metaq.message.HeaderField;
import io.metaq.message.LargePayload;
import io.metaq.message.PropertyBlock;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Fetches payloads that are stored in chunks. */
final class LargePayloads {
    private final Exchange exchange;
    private final BrokerConfig config;

    LargePayloads(Exchange exchange, BrokerConfig config) {
        this.exchange = exchange;
        this.config = config;
    }

    /** Where the chunks of a message are. */
    record Chunks(String topic, int partition, long length, ByteBuffer offsets) {
        int count() {
            return offsets.remaining() / Long.BYTES;
        }

        long offset(int chunk) {
            return offsets.getLong(offsets.position() + chunk * Long.BYTES);
        }
    }

    /** Where they are; a message that does not say so has none. */
    static Chunks of(StoredAt message) {
        Content content = message.content();
        PropertyBlock block = content.block();
        String topic = block == null ? null : block.headerString(HeaderField.LARGE_TOPIC);
        int partition = block == null ? 0 : block.headerInt(HeaderField.LARGE_PARTITION, 0);
        return new Chunks(topic == null ? "" : topic, partition, message.largeLength(), content.payload());
    }

    /**
     * Puts payloads into the messages: those that fit within what is left of {@code budget} bytes, the first message's whatever it
     * takes, up to the largest body that there is.
     */
    CompletableFuture<Void> resolve(List<StoredAt> messages, long budget) {
        return resolve(messages, 0, budget);
    }

    private CompletableFuture<Void> resolve(List<StoredAt> messages, int from, long budget) {
        for (int i = from; i < messages.size(); i++) {
            StoredAt message = messages.get(i);
            long most = i == 0 ? config.admin().maxBodySize() : budget;
            if (message.payload() == null && message.largeLength() <= most) {
                int index = i;
                return fetch(message).thenCompose(whole -> {
                    messages.set(index, whole);
                    return resolve(messages, index + 1, budget - message.largeLength());
                });
            }
        }
        return CompletableFuture.completedFuture(null);
    }

    /** The message with its payload, or with the news that chunks of it are lost. */
    private CompletableFuture<StoredAt> fetch(StoredAt message) {
        Chunks chunks = of(message);
        if (chunks.length() < 0 || chunks.length() > config.admin().maxBodySize()) {
            return CompletableFuture.completedFuture(message.with(null));
        }
        ByteBuffer whole = ByteBuffer.allocate((int) chunks.length());
        return collect(chunks, 0, whole).thenApply(all -> message.with(all ? whole.flip() : null));
    }

    private CompletableFuture<Boolean> collect(Chunks chunks, int next, ByteBuffer into) {
        if (next == chunks.count()) {
            return CompletableFuture.completedFuture(!into.hasRemaining());
        }
        return chunk(chunks, next).thenCompose(bytes -> {
            if (bytes.length == 0 || bytes.length > into.remaining()) {
                return CompletableFuture.completedFuture(false);
            }
            into.put(bytes);
            return collect(chunks, next + 1, into);
        });
    }

    /** The bytes of one chunk; none if it is gone. */
    CompletableFuture<byte[]> chunk(Chunks chunks, int number) {
        if (number >= chunks.count()) {
            return CompletableFuture.completedFuture(new byte[0]);
        }
        PartitionReader reader = new PartitionReader(exchange, config, chunks.topic(), chunks.partition());
        return reader.read(new PartitionReader.Wish(
                        chunks.offset(number), Long.MAX_VALUE, 1, LargePayload.CHUNK_BYTES + 64, 0))
                .handle((page, failure) -> {
                    if (failure != null || page.count() == 0) {
                        return new byte[0];
                    }
                    ByteBuffer payload = page.messages().get(0).content().payload();
                    byte[] bytes = new byte[payload.remaining()];
                    payload.get(bytes);
                    return bytes;
                });
    }
}
