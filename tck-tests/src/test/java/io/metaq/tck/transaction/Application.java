package io.metaq.tck.transaction;

import io.metaq.jms.MetaQXAConnectionFactory;
import io.metaq.jms.recovery.ReconnectingXaResource;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.SystemException;
import jakarta.transaction.Transaction;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/**
 * An application that moves orders to invoices and writes a row for each, in transactions over broker and database. Takes commands by
 * line, and ends when there are no more. Answers, by line too:
 *
 * <pre>
 * put NAME                put                            an order is in the queue
 * move NAME FIRST POINT   at POINT, then on any line
 *                         ended committed|rolled-back|…  FIRST: broker or rows
 * doubt                   doubt BROKER ROWS      how many branches of this node are prepared there
 * recover                 recovered BROKER ROWS LOG OTHERS    the same after two passes, what its log has, branches of other nodes
 * look NAME               found ORDERS ROWS INVOICES     how often NAME is there; takes it out of the queues
 * </pre>
 */
final class Application {
    private static final int LEASH_BROKEN = 3;
    private static final long WAIT_MS = 20_000;

    private final BufferedReader commands =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final MetaQXAConnectionFactory broker;
    private final String url;
    private final String node;
    private final Coordinator coordinator;
    private final RowsResource finishing;

    private Application(String broker, Path folder, String node) throws Exception {
        this.broker = new MetaQXAConnectionFactory(broker);
        // Without this the database writes what was committed up to half a second later.
        this.url = "jdbc:h2:file:" + folder.resolve("rows").toAbsolutePath() + ";WRITE_DELAY=0;DB_CLOSE_DELAY=-1";
        this.node = node;
        this.finishing = new RowsResource(url);
        this.coordinator = Coordinator.start(folder.resolve("log"), node, this.broker, finishing);
        try (Connection connection = RowsResource.database(url).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table if not exists book (name varchar)");
        }
    }

    /** @param arguments URI of the broker, folder for database and log, node */
    public static void main(String[] arguments) throws Exception {
        new Application(arguments[0], Path.of(arguments[1]), arguments[2]).serve();
    }

    private void serve() throws Exception {
        while (true) {
            String[] words = line().split(" ");
            switch (words[0]) {
                case "put" -> put(words[1]);
                case "move" -> move(words[1], words[2].equals("broker"), Point.valueOf(words[3]));
                case "doubt" -> say("doubt %d %d".formatted(own(atBroker()), own(inRows())));
                case "recover" -> recover();
                case "look" -> look(words[1]);
                default -> throw new IllegalArgumentException(words[0]);
            }
        }
    }

    private String line() throws IOException {
        String line = commands.readLine();
        if (line == null) {
            Runtime.getRuntime().halt(LEASH_BROKEN);
        }
        return Objects.requireNonNull(line);
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private void put(String name) {
        try (JMSContext context = broker.createContext()) {
            context.createProducer().send(context.createQueue("orders"), name);
        }
        say("put");
    }

    private void move(String name, boolean brokerFirst, Point stop) throws Exception {
        Stops stops = point -> {
            if (point == stop) {
                say("at " + point);
                line();
            }
        };
        XAConnection queues = broker.createXAConnection();
        javax.sql.XAConnection rows = RowsResource.database(url).getXAConnection();
        try {
            XASession session = queues.createXASession();
            queues.start();
            coordinator.transactions().begin();
            Transaction transaction = coordinator.transactions().getTransaction();
            var ofBroker = new StoppingResource(session.getXAResource(), stops, brokerFirst);
            var ofRows = new StoppingResource(new RowsResource.Working(rows.getXAResource(), url), stops, !brokerFirst);
            transaction.enlistResource(brokerFirst ? ofBroker : ofRows);
            transaction.enlistResource(brokerFirst ? ofRows : ofBroker);
            work(name, session.getSession(), rows.getConnection());
            stops.at(Point.WORKED);
            String outcome = commit();
            stops.at(Point.COMMITTED);
            say("ended " + outcome);
        } finally {
            queues.close();
            rows.close();
        }
    }

    private static void work(String name, Session session, Connection rows) throws JMSException, SQLException {
        var order = (TextMessage)
                session.createConsumer(session.createQueue("orders")).receive(WAIT_MS);
        if (order == null || !name.equals(order.getText())) {
            throw new IllegalStateException("not " + name + " but " + order);
        }
        try (PreparedStatement insert = rows.prepareStatement("insert into book values (?)")) {
            insert.setString(1, name);
            insert.executeUpdate();
        }
        session.createProducer(session.createQueue("invoices")).send(session.createTextMessage(name));
    }

    private String commit() throws Exception {
        try {
            coordinator.transactions().commit();
            return "committed";
        } catch (RollbackException e) {
            return "rolled-back";
        } catch (HeuristicMixedException | SystemException e) {
            return "unknown " + e;
        }
    }

    private void recover() throws Exception {
        coordinator.recover();
        coordinator.recover();
        Xid[] atBroker = atBroker();
        int own = own(atBroker);
        say("recovered %d %d %d %d".formatted(own, own(inRows()), coordinator.logged(), atBroker.length - own));
    }

    private Xid[] atBroker() throws XAException {
        return ReconnectingXaResource.of(broker.options()).recover(XAResource.TMSTARTRSCAN);
    }

    private Xid[] inRows() throws XAException {
        return finishing.recover(XAResource.TMSTARTRSCAN);
    }

    private int own(Xid[] branches) {
        int own = 0;
        for (Xid branch : branches) {
            own += Coordinator.nodeOf(branch).equals(node) ? 1 : 0;
        }
        return own;
    }

    private void look(String name) throws SQLException {
        int rows = 0;
        try (Connection connection = RowsResource.database(url).getConnection();
                PreparedStatement select = connection.prepareStatement("select count(*) from book where name = ?")) {
            select.setString(1, name);
            try (ResultSet found = select.executeQuery()) {
                found.next();
                rows = found.getInt(1);
            }
        }
        say("found %d %d %d".formatted(taken("orders", name), rows, taken("invoices", name)));
    }

    private int taken(String queue, String name) {
        List<String> taken = new ArrayList<>();
        try (JMSContext context = broker.createContext()) {
            var consumer = context.createConsumer(context.createQueue(queue));
            for (String text = consumer.receiveBodyNoWait(String.class);
                    text != null;
                    text = consumer.receiveBodyNoWait(String.class)) {
                taken.add(text);
            }
        }
        if (taken.stream().anyMatch(text -> !text.equals(name))) {
            throw new IllegalStateException("%s in %s are others' than %s".formatted(taken, queue, name));
        }
        return taken.size();
    }
}
