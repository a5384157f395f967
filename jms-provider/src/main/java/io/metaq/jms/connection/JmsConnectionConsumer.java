package io.metaq.jms.connection;

import io.metaq.client.subscription.Delivery;
import io.metaq.jms.consumer.Gate;
import io.metaq.jms.consumer.IdleWatch;
import io.metaq.jms.consumer.Intake;
import io.metaq.jms.failure.Deadline;
import io.metaq.jms.failure.Failures;
import io.metaq.jms.option.ConnectionOption;
import io.metaq.jms.session.Attachments;
import io.metaq.jms.session.JmsSession;
import io.metaq.jms.transport.ConnectionScope;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.ServerSession;
import jakarta.jms.ServerSessionPool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Hands what comes from a destination to the sessions of an application server: takes a server session from the pool, loads its session
 * with up to so many messages, and starts it. The messages are settled by those sessions.
 */
final class JmsConnectionConsumer implements ConnectionConsumer {

    private final ConnectionScope scope;
    private final ServerSessionPool pool;
    private final int maxMessages;
    private final Consumer<JmsConnectionConsumer> whenClosed;
    private final Gate gate = new Gate();
    private final Intake intake;
    private final Thread thread;
    private final AtomicBoolean closing = new AtomicBoolean();

    JmsConnectionConsumer(
            ConnectionScope scope,
            IdleWatch idleWatch,
            Attachments.Wanted wanted,
            ServerSessionPool pool,
            int maxMessages,
            Consumer<JmsConnectionConsumer> whenClosed)
            throws JMSException {
        this.scope = scope;
        this.pool = pool;
        this.maxMessages = maxMessages;
        this.whenClosed = whenClosed;
        this.intake = new Intake(
                wanted.destination(),
                wanted.rivals(),
                gate,
                idleWatch,
                scope.options().number(ConnectionOption.PREFETCH),
                scope.options().number(ConnectionOption.PREFETCH_BYTES),
                ready -> gate.signal());
        Attachments.attach(scope.transport(), wanted.attachment(), intake);
        intake.setListening(true);
        thread = new Thread(this::run, "metaq-jms-" + scope.identity().id() + "-connection-consumer");
        thread.setDaemon(true);
        thread.start();
    }

    void start() {
        setOpen(true);
        intake.started();
    }

    CompletableFuture<Void> stop() {
        setOpen(false);
        return intake.quiesce();
    }

    private void setOpen(boolean open) {
        gate.lock();
        try {
            gate.setOpen(open);
        } finally {
            gate.unlock();
        }
    }

    @Override
    public ServerSessionPool getServerSessionPool() throws JMSException {
        if (closing.get()) {
            throw Failures.closed("connection consumer");
        }
        return pool;
    }

    @Override
    public void close() {
        close(scope.closing());
    }

    void close(Deadline deadline) {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        gate.lock();
        try {
            gate.close();
        } finally {
            gate.unlock();
        }
        // It may wait for a free server session.
        thread.interrupt();
        deadline.join(thread);
        deadline.awaitCalmly(intake.close(), "end a connection consumer");
        whenClosed.accept(this);
    }

    private void run() {
        List<Delivery> batch = nextBatch();
        while (!batch.isEmpty()) {
            hand(batch);
            batch = nextBatch();
        }
    }

    /** @return empty when it is closed */
    private List<Delivery> nextBatch() {
        List<Delivery> batch = new ArrayList<>();
        gate.lock();
        try {
            while (!gate.isClosed() && batch.isEmpty()) {
                Delivery next = gate.isOpen() ? intake.nextUnexpired() : null;
                while (next != null) {
                    batch.add(next);
                    next = batch.size() < maxMessages ? intake.nextUnexpired() : null;
                }
                if (batch.isEmpty()) {
                    gate.awaitCalmly();
                }
            }
            return batch;
        } finally {
            gate.unlock();
        }
    }

    private void hand(List<Delivery> batch) {
        int loaded = 0;
        try {
            ServerSession server = pool.getServerSession();
            if (!(server.getSession() instanceof JmsSession session)) {
                throw new IllegalStateException("the server session has a session of another provider");
            }
            for (Delivery delivery : batch) {
                session.load(intake, delivery);
                loaded++;
            }
            server.start();
        } catch (JMSException | RuntimeException e) {
            List<Delivery> rest = batch.subList(loaded, batch.size());
            rest.forEach(delivery -> intake.consumer().release(Intake.range(delivery)));
            intake.settled(rest.size());
            if (!closing.get()) {
                scope.reports().report(Failures.of(e, "hand messages to a server session"));
            }
        }
    }
}
