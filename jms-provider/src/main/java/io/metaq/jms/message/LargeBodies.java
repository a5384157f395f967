package io.metaq.jms.message;

import io.metaq.jms.destination.MetaQDestination;
import jakarta.jms.JMSException;
import java.io.InputStream;

/**
 * Where bodies are that are too large for a message: in chunks, in a companion topic of the message's own. One per connection; any
 * thread may call.
 */
public interface LargeBodies {
    /** Bodies with more bytes than this are stored here. */
    int threshold();

    /**
     * Stores all that the stream gives, without having more of it in memory than a few chunks. Does not close it.
     *
     * @param destination where the message will go
     * @throws JMSException if the stream cannot be read or a chunk not be stored; the message is not to be sent then
     */
    StoredBody store(MetaQDestination destination, InputStream body) throws JMSException;

    /**
     * One chunk.
     *
     * @throws JMSException if it is not there any more, or no broker answers
     */
    byte[] chunk(String topic, int partition, long offset) throws JMSException;
}
