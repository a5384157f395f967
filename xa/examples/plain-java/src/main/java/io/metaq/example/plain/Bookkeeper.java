package io.metaq.example.plain;

import io.metaq.jms.MetaQXAConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.XADataSource;

/** Takes orders from a queue, writes each into a table, and sends an invoice: all three, or none. Used by one thread. */
public final class Bookkeeper implements AutoCloseable {

    private final TransactionManager transactions;
    private final XAConnection queues;
    private final XASession session;
    private final MessageConsumer orders;
    private final MessageProducer invoices;
    private final javax.sql.XAConnection database;
    private final Connection rows;

    public Bookkeeper(TransactionManager transactions, MetaQXAConnectionFactory broker, XADataSource database)
            throws JMSException, SQLException {
        this.transactions = transactions;
        this.database = database.getXAConnection();
        this.rows = this.database.getConnection();
        try (Statement statement = rows.createStatement()) {
            statement.execute("create table if not exists book (item varchar primary key)");
        }
        this.queues = broker.createXAConnection();
        this.session = queues.createXASession();
        Session plain = session.getSession();
        this.orders = plain.createConsumer(plain.createQueue("orders"));
        this.invoices = plain.createProducer(plain.createQueue("invoices"));
        queues.start();
    }

    /**
     * Books the next order.
     *
     * @param waitMs how long to wait for one
     * @return false if there was none
     * @throws Exception when it was not booked: it comes again
     */
    public boolean bookNext(long waitMs) throws Exception {
        transactions.begin();
        boolean booked = false;
        try {
            Transaction transaction = transactions.getTransaction();
            transaction.enlistResource(session.getXAResource());
            transaction.enlistResource(database.getXAResource());
            Message order = orders.receive(waitMs);
            if (order != null) {
                book(order.getBody(String.class));
                booked = true;
            }
        } finally {
            if (booked) {
                transactions.commit();
            } else {
                transactions.rollback();
            }
        }
        return booked;
    }

    private void book(String item) throws JMSException, SQLException {
        try (PreparedStatement insert = rows.prepareStatement("insert into book values (?)")) {
            insert.setString(1, item);
            insert.executeUpdate();
        }
        invoices.send(session.getSession().createTextMessage("invoice for " + item));
    }

    @Override
    public void close() throws JMSException, SQLException {
        queues.close();
        database.close();
    }
}
