package io.metaq.jms.message;

import io.metaq.jms.destination.MetaQDestination;
import jakarta.jms.JMSException;
import java.io.InputStream;

/** Stands where there is no connection to store or fetch large bodies by. */
enum NoLargeBodies implements LargeBodies {
    INSTANCE;

    @Override
    public int threshold() {
        return Integer.MAX_VALUE;
    }

    @Override
    public StoredBody store(MetaQDestination destination, InputStream body) throws JMSException {
        throw new JMSException("there is no connection to store a large body by");
    }

    @Override
    public byte[] chunk(String topic, int partition, long offset) throws JMSException {
        throw new JMSException("there is no connection to fetch a large body by");
    }
}
