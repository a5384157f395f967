package io.metaq.client.subscription;

import io.metaq.client.subscription.TransactionParts.Sent;
import io.metaq.protocol.StoredMessage;
import io.metaq.protocol.TransactWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.LinkedHashMap;
import java.util.Map;

/** The bytes of a transaction: one part for each partition that is sent to, then one for each consumer that acknowledges. */
final class TransactionBody {
    private record Place(String topic, int partition) {}

    /** Messages for one partition, in their order. */
    private static final class Batch {
        private final ByteBuf messages = Unpooled.buffer();
        private int count;

        void add(Sent sent) {
            byte[] body = sent.body();
            StoredMessage.writeHeader(messages, body.length, StoredMessage.checksum(body), -1, sent.flag());
            messages.writeBytes(body);
            count++;
        }
    }

    private TransactionBody() {}

    static byte[] encode(TransactionParts parts) {
        Map<Place, Batch> batches = new LinkedHashMap<>();
        for (Sent sent : parts.sent()) {
            batches.computeIfAbsent(new Place(sent.topic(), sent.partition()), place -> new Batch())
                    .add(sent);
        }
        ByteBuf out = Unpooled.buffer();
        batches.forEach((place, batch) ->
                TransactWriter.messages(out, place.topic, place.partition, batch.count, batch.messages));
        parts.acknowledged()
                .forEach((consumer, ranges) -> TransactWriter.acknowledgements(out, consumer.id(), ranges.build()));
        return ByteBufUtil.getBytes(out);
    }
}
