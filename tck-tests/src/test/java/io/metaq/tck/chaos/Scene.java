package io.metaq.tck.chaos;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** What all who take part share: the factory, the faults, the broker's state of life, and what they are to do. */
final class Scene {
    private static final long CLOSE_MS = 10_000;

    /** Numbers for the summary. */
    final AtomicLong temporaryQueues = new AtomicLong();

    final AtomicInteger killedClients = new AtomicInteger();
    final AtomicLong failedCalls = new AtomicLong();

    private final ConnectionFactory factory;
    private final Faults faults;
    private final BrokerLife life;
    private final AtomicInteger producers = new AtomicInteger();
    private volatile boolean calm;

    Scene(ConnectionFactory factory, Faults faults, BrokerLife life) {
        this.factory = factory;
        this.faults = faults;
        this.life = life;
    }

    Faults faults() {
        return faults;
    }

    BrokerLife life() {
        return life;
    }

    int nextProducer() {
        return producers.incrementAndGet();
    }

    Connection connect() throws JMSException {
        return factory.createConnection();
    }

    /** Closes, which has to come back in time whatever the broker does. */
    void close(Connection connection) {
        long began = System.nanoTime();
        try {
            connection.close();
        } catch (JMSException e) {
            failed(e);
        }
        long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        if (tookMs > CLOSE_MS) {
            faults.add("Connection.close took %d ms".formatted(tookMs));
        }
    }

    /** From now on no call may fail. */
    void expectCalm() {
        calm = true;
    }

    /** A call failed. While the broker is killed again and again that is part of the game, and counted. */
    void failed(JMSException failure) {
        if (calm) {
            faults.add("a call failed though nothing disturbed the broker: " + failure);
        } else if (failedCalls.incrementAndGet() <= 3) {
            System.err.println("chaos: a call failed: " + failure);
        }
    }

    static void pause(long ms) {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
        for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
