package io.metaq.jms.producer;

import io.metaq.jms.destination.MetaQDestination;
import io.metaq.jms.message.Encoded;
import io.metaq.jms.message.MessageCopy;
import io.metaq.jms.message.MetaQMessage;
import io.metaq.jms.message.SendHeaders;
import io.metaq.jms.transport.ConnectionScope;
import io.metaq.jms.transport.Outgoing;
import jakarta.jms.JMSException;
import jakarta.jms.Message;

/** The moment in which a message is sent: it gets its headers and becomes bytes. */
final class Departure {

    private Departure() {}

    /** Also sets the headers on the application's own object, whoever made it. */
    static Outgoing prepare(
            ConnectionScope scope, MetaQDestination destination, int partition, Message message, SendOptions options)
            throws JMSException {
        SendHeaders headers = new SendHeaders(
                destination,
                options.deliveryMode(),
                options.priority(),
                System.currentTimeMillis(),
                options.timeToLiveMs(),
                options.deliveryDelayMs(),
                options.messageId() ? scope.identity().nextMessageId() : null,
                scope.identity().origin());
        MetaQMessage ours = MessageCopy.of(message);
        Encoded encoded = ours.encode(headers, scope.largeBodies());
        if (ours != message) {
            headers.setOn(message);
        }
        return new Outgoing(destination, partition, encoded.flag(), encoded.body(), options.persistent());
    }
}
