package io.metaq.jms.message;

import io.metaq.jms.destination.MetaQQueue;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import java.nio.ByteBuffer;

/** Messages to bytes and back, as by a send and a receive. */
final class Transfer {
    static final MetaQQueue QUEUE = new MetaQQueue("q");
    static final SendHeaders HEADERS =
            new SendHeaders(QUEUE, DeliveryMode.PERSISTENT, 4, 1000, 0, 0, "ID:test-1", "connection-1");

    private Transfer() {}

    static <M extends MetaQMessage> M received(M message) throws JMSException {
        return received(message, 1);
    }

    static <M extends MetaQMessage> M received(M message, int deliveryCount) throws JMSException {
        return received(message, HEADERS, deliveryCount, AllowedClasses.DEFAULT);
    }

    @SuppressWarnings("unchecked")
    static <M extends MetaQMessage> M received(
            M message, SendHeaders headers, int deliveryCount, AllowedClasses allowed) throws JMSException {
        Encoded encoded = message.encode(headers);
        return (M) new MessageDecoder(allowed)
                .decode(QUEUE, 99, encoded.flag(), ByteBuffer.wrap(encoded.body()), deliveryCount);
    }
}
