package io.metaq.tck.closing;

import io.metaq.jms.MetaQConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** A program that leaves everything open and exits where it is told to: {@code main URI listener|callback|receiving}. */
public final class ExitingClient {
    private ExitingClient() {}

    public static void main(String[] arguments) throws Exception {
        Connection connection = new MetaQConnectionFactory(arguments[0]).createConnection();
        connection.start();
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(session.createQueue("exit-" + arguments[1]));
        MessageProducer producer = session.createProducer(session.createQueue("exit-" + arguments[1]));
        CountDownLatch there = new CountDownLatch(1);
        switch (arguments[1]) {
            case "listener" -> {
                consumer.setMessageListener(message -> exitWhenTold(there));
                producer.send(session.createTextMessage("x"));
            }
            case "callback" -> producer.send(session.createTextMessage("x"), new ExitingCallback(there));
            default -> {
                CompletableFuture<Void> receiving = CompletableFuture.runAsync(() -> receive(consumer));
                new Thread(() -> exitWhenTold(there)).start();
                receiving.join();
            }
        }
        Thread.currentThread().join(); // until somebody exits
    }

    private static void receive(MessageConsumer consumer) {
        try {
            consumer.receive();
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Says that it is there, waits for a line, and exits. */
    static void exitWhenTold(CountDownLatch there) {
        there.countDown();
        System.out.println("there");
        try {
            System.in.read();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        System.exit(0);
    }
}
