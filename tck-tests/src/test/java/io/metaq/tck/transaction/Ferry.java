package io.metaq.tck.transaction;

import io.metaq.jms.MetaQXAConnectionFactory;
import io.metaq.jms.recovery.ReconnectingXaResource;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import jakarta.transaction.RollbackException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;

/**
 * An application that takes an order at one broker and sends an invoice at each of two, in one transaction. Takes commands by line, and
 * ends when there are no more. Answers, by line too:
 *
 * <pre>
 * put                     put                       an order is at the first broker
 * move POINT              at POINT, then on any line
 *                         ended committed|rolled-back
 * recover                 recovered FIRST SECOND LOG    branches in doubt after two passes, and what its log has
 * look                    found ORDERS INVOICES INVOICES    at the first broker, at the first and the second; takes them out
 * </pre>
 */
final class Ferry {
    private static final int LEASH_BROKEN = 3;
    private static final long WAIT_MS = 20_000;

    private final BufferedReader commands =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final MetaQXAConnectionFactory first;
    private final MetaQXAConnectionFactory second;
    private final Coordinator coordinator;

    private Ferry(String first, String second, Path folder) throws Exception {
        this.first = new MetaQXAConnectionFactory(first);
        this.second = new MetaQXAConnectionFactory(second);
        this.coordinator = Coordinator.start(folder.resolve("log"), "ferry", this.first, this.second);
    }

    /** @param arguments URIs of the brokers, folder for the log */
    public static void main(String[] arguments) throws Exception {
        new Ferry(arguments[0], arguments[1], Path.of(arguments[2])).serve();
    }

    private void serve() throws Exception {
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "put" -> {
                    Moves.order(first, "order");
                    say("put");
                }
                case "move" -> move(Point.valueOf(words[1]));
                case "recover" -> recover();
                case "look" ->
                    say("found %d %d %d"
                            .formatted(count(first, "orders"), count(first, "invoices"), count(second, "invoices")));
                default -> throw new IllegalArgumentException(line);
            }
        }
        Runtime.getRuntime().halt(LEASH_BROKEN);
    }

    private static int count(MetaQXAConnectionFactory broker, String queue) {
        return Moves.taken(broker, queue).size();
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private void move(Point stop) throws Exception {
        Stops stops = point -> {
            if (point == stop) {
                say("at " + point);
                awaitLine();
            }
        };
        try (XAConnection here = first.createXAConnection();
                XAConnection there = second.createXAConnection()) {
            XASession from = here.createXASession();
            XASession to = there.createXASession();
            here.start();
            if (from.getXAResource().isSameRM(to.getXAResource())) {
                throw new IllegalStateException("two brokers are not the same resource manager");
            }
            coordinator.transactions().begin();
            var transaction = coordinator.transactions().getTransaction();
            transaction.enlistResource(new StoppingResource(from.getXAResource(), stops, true));
            transaction.enlistResource(new StoppingResource(to.getXAResource(), stops, false));
            work(from.getSession(), to.getSession());
            stops.at(Point.WORKED);
            say("ended " + commit());
        }
    }

    private void awaitLine() throws IOException {
        if (commands.readLine() == null) {
            Runtime.getRuntime().halt(LEASH_BROKEN);
        }
    }

    private static void work(Session from, Session to) throws JMSException {
        Message order = from.createConsumer(from.createQueue("orders")).receive(WAIT_MS);
        if (order == null) {
            throw new IllegalStateException("no order came");
        }
        for (Session session : new Session[] {from, to}) {
            session.createProducer(session.createQueue("invoices")).send(session.createTextMessage("invoice"));
        }
    }

    private String commit() throws Exception {
        try {
            coordinator.transactions().commit();
            return "committed";
        } catch (RollbackException e) {
            return "rolled-back";
        }
    }

    private void recover() throws Exception {
        coordinator.recover();
        coordinator.recover();
        say("recovered %d %d %d".formatted(inDoubt(first), inDoubt(second), coordinator.logged()));
    }

    private static int inDoubt(MetaQXAConnectionFactory broker) throws XAException {
        return ReconnectingXaResource.of(broker.options()).recover(XAResource.TMSTARTRSCAN).length;
    }
}
