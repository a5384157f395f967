package io.metaq.xa.narayana;

import com.arjuna.ats.jta.TransactionManager;
import io.metaq.jms.MetaQXAConnectionFactory;
import jakarta.jms.Message;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import jakarta.transaction.Transaction;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Objects;
import org.h2.jdbcx.JdbcDataSource;

/**
 * Moves one message from the queue in-NAME to out-NAME and writes a row, in one transaction, in which a {@link Bomb} takes part. Exits with
 * its code, or with 0 if it did not go off.
 */
final class CrashingApplication {
    private static final long WAIT_MS = 20_000;

    private CrashingApplication() {}

    /** @param arguments URI, folder of the database, folder of Narayana's log, node, NAME, order of the resources, the bomb's step */
    public static void main(String[] arguments) throws Exception {
        String name = arguments[4];
        NarayanaSetUp.start(Path.of(arguments[2]), arguments[3]);
        javax.sql.XAConnection database = database(Path.of(arguments[1])).getXAConnection();
        Connection rows = database.getConnection();
        XAConnection connection = new MetaQXAConnectionFactory(arguments[0]).createXAConnection();
        XASession queues = connection.createXASession();
        Session session = queues.getSession();
        var from = session.createConsumer(session.createQueue("in-" + name));
        var to = session.createProducer(session.createQueue("out-" + name));
        connection.start();

        TransactionManager.transactionManager().begin();
        Transaction transaction = TransactionManager.transactionManager().getTransaction();
        for (String resource : arguments[5].split(",", -1)) {
            transaction.enlistResource(
                    switch (resource) {
                        case "broker" -> queues.getXAResource();
                        case "database" -> database.getXAResource();
                        default -> new Bomb(Bomb.Step.valueOf(arguments[6]));
                    });
        }
        Message message = Objects.requireNonNull(from.receive(WAIT_MS), "no message came");
        to.send(session.createTextMessage(message.getBody(String.class)));
        try (Statement insert = rows.createStatement()) {
            insert.execute("insert into moved values ('" + name + "')");
        }
        TransactionManager.transactionManager().commit();
        System.exit(0);
    }

    static JdbcDataSource database(Path folder) {
        JdbcDataSource database = new JdbcDataSource();
        database.setUrl("jdbc:h2:file:" + folder.resolve("rows").toAbsolutePath());
        return database;
    }
}
