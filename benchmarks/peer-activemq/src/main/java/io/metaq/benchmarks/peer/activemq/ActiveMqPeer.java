package io.metaq.benchmarks.peer.activemq;

import io.metaq.benchmarks.driver.Completion;
import io.metaq.benchmarks.jms.JmsPeer;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.ActiveMQMessageProducer;
import org.apache.activemq.ActiveMQXAConnectionFactory;
import org.apache.activemq.AsyncCallback;

/** Argument: the broker's {@code host:port}. */
final class ActiveMqPeer extends JmsPeer {

    private ActiveMqPeer(String server) {
        super(new ActiveMQConnectionFactory("tcp://" + server), new ActiveMQXAConnectionFactory("tcp://" + server));
    }

    public static void main(String[] args) throws Exception {
        serve(new ActiveMqPeer(args[0]));
    }

    /** It refuses completion listeners; this is its own equivalent. */
    @Override
    protected void send(MessageProducer producer, Message message, Completion done) throws JMSException {
        ((ActiveMQMessageProducer) producer).send(message, new AsyncCallback() {
            @Override
            public void onSuccess() {
                done.done(null);
            }

            @Override
            public void onException(JMSException failure) {
                done.done(failure);
            }
        });
    }
}
