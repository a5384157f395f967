package io.metaq.tck.transaction;

import io.metaq.jms.MetaQXAConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;

/** Branches that take an order each and send invoices for it, driven by hand: this is the coordinator. */
final class Moves implements AutoCloseable {
    private static final long WAIT_MS = 20_000;

    private final XAConnection connection;
    private final XASession session;
    private final MessageConsumer orders;
    private final MessageProducer invoices;

    Moves(MetaQXAConnectionFactory broker) throws JMSException {
        connection = broker.createXAConnection();
        session = connection.createXASession();
        orders = session.createConsumer(session.createQueue("orders"));
        invoices = session.createProducer(session.createQueue("invoices"));
        connection.start();
    }

    XAResource resource() {
        return session.getXAResource();
    }

    /** Does the work of a branch, up to its end; gives the order's text. */
    String work(BranchId branch, int copies) throws JMSException, XAException {
        resource().start(branch, XAResource.TMNOFLAGS);
        Message order = Objects.requireNonNull(orders.receive(WAIT_MS), "no order came");
        String text = order.getBody(String.class);
        for (int copy = 0; copy < copies; copy++) {
            invoices.send(session.createTextMessage(text));
        }
        resource().end(branch, XAResource.TMSUCCESS);
        return text;
    }

    @Override
    public void close() throws JMSException {
        connection.close();
    }

    static void order(MetaQXAConnectionFactory broker, String... texts) {
        try (JMSContext context = broker.createContext()) {
            for (String text : texts) {
                context.createProducer().send(context.createQueue("orders"), text);
            }
        }
    }

    /** Takes all that can be had, each as {@code TEXT xN} where N is how often it was delivered. */
    static List<String> taken(MetaQXAConnectionFactory broker, String queue) {
        List<String> taken = new ArrayList<>();
        try (JMSContext context = broker.createContext()) {
            var consumer = context.createConsumer(context.createQueue(queue));
            for (Message message = consumer.receiveNoWait(); message != null; message = consumer.receiveNoWait()) {
                taken.add(message.getBody(String.class) + " x" + message.getIntProperty("JMSXDeliveryCount"));
            }
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
        return taken;
    }
}
