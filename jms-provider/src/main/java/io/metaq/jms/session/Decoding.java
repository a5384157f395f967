package io.metaq.jms.session;

import io.metaq.client.subscription.Delivery;
import io.metaq.jms.destination.MetaQDestination;
import io.metaq.jms.message.MessageDecoder;
import io.metaq.jms.message.MetaQMessage;
import jakarta.jms.JMSException;
import java.nio.ByteBuffer;

/** From what the broker delivers to what the application gets. */
final class Decoding {

    private Decoding() {}

    static MetaQMessage message(MessageDecoder decoder, MetaQDestination from, Delivery delivery) throws JMSException {
        return decoder.decode(
                from,
                delivery.messageId(),
                delivery.flag(),
                ByteBuffer.wrap(delivery.body()),
                delivery.deliveryCount());
    }
}
