package io.metaq.jms.session;

import io.metaq.client.subscription.Enlistment;
import io.metaq.client.subscription.SubscriberLink;
import io.metaq.client.subscription.TransactionParts;
import io.metaq.client.subscription.TransactionStep;
import io.metaq.jms.failure.Deadline;
import io.metaq.jms.failure.Failures;
import io.metaq.jms.transport.Outgoing;
import io.metaq.jms.transport.Transport;
import io.metaq.protocol.TransactionKey;
import jakarta.jms.JMSException;
import jakarta.jms.TransactionRolledBackException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Local transactions of a session: what was sent and received since the last end of one goes to the broker as one request, which does
 * all of it or nothing. Between transactions there is no state but an empty one.
 *
 * <p>A big one is sent ahead in pieces into a transaction that the broker keeps, and committed with the last of them.
 */
final class Transaction implements HeldSends.Ahead {

    private static final Logger LOG = LoggerFactory.getLogger(Transaction.class);

    private final SessionCore session;
    private final Transport transport;
    private final String name;
    private long number;
    private @Nullable TransactionKey ahead;
    private @Nullable JMSException doomed;

    /** @param name unique among the sessions of a broker, without colons */
    Transaction(SessionCore session, Transport transport, String name) {
        this.session = session;
        this.transport = transport;
        this.name = name;
    }

    @Override
    public boolean isOffered() {
        return !link().resourceManagerId().isEmpty();
    }

    /** Gives the broker a part of what the transaction will send. When that fails, it can only be rolled back. */
    @Override
    public void send(List<Outgoing> messages) throws JMSException {
        boolean begun = ahead != null;
        TransactionKey key = ahead == null ? new TransactionKey.Local(name, ++number) : ahead;
        ahead = key;
        try {
            enlist(
                    key,
                    Piece.parts(messages, Unsettled.of(List.of())),
                    Enlistment.Then.NOTHING,
                    begun,
                    transport.patience());
        } catch (JMSException e) {
            doomed = e;
            throw e;
        }
    }

    private void enlist(
            TransactionKey key, TransactionParts parts, Enlistment.Then then, boolean begun, Deadline deadline)
            throws JMSException {
        Enlistment step = new Enlistment(key, parts, then, 0, begun);
        await(() -> link().enlist(step), deadline, "send within a transaction");
    }

    private <T> void await(Supplier<CompletableFuture<T>> call, Deadline deadline, String what) throws JMSException {
        deadline.await(link().settled(call, Duration.ofNanos(deadline.nanosLeft())), what);
    }

    private SubscriberLink link() {
        return transport.link();
    }

    /**
     * @throws TransactionRolledBackException when the broker refused: nothing happened, what was received comes again
     * @throws JMSException when no answer came in time: the broker has done all or nothing of it
     */
    void commit() throws JMSException {
        Deadline deadline = transport.patience();
        session.sends().completions().await(deadline);
        if (doomed != null) {
            throw rolledBack(doomed);
        }
        List<Outgoing> sent = session.held().takeAll();
        List<Shown> received = session.acknowledgements().snapshot();
        TransactionKey key = ahead;
        if (sent.isEmpty() && received.isEmpty() && key == null) {
            return;
        }
        Unsettled acknowledged = Unsettled.of(received);
        TransactionParts parts = Piece.parts(sent, acknowledged);
        try {
            if (key == null) {
                await(() -> link().transact(parts), deadline, "commit");
            } else {
                ahead = null;
                enlist(key, parts, Enlistment.Then.COMMIT, true, deadline);
            }
        } catch (JMSException e) {
            throw Failures.isRefusal(e) ? rolledBack(e) : e;
        }
        session.acknowledgements().forget(received);
        acknowledged.settled();
    }

    private JMSException rolledBack(JMSException failure) {
        try {
            rollback();
        } catch (JMSException e) {
            LOG.warn("rollback after a refused commit: {}", e.getMessage());
        }
        return Failures.because(
                new TransactionRolledBackException(failure.getMessage(), failure.getErrorCode()), failure);
    }

    /** Forgets what was sent; what was received comes again, first. */
    void rollback() throws JMSException {
        session.sends().completions().await(transport.answer());
        transport.answer().awaitCalmly(abandon(), "roll back what was sent ahead");
        session.rewindAll();
    }

    /** Forgets what was sent, wherever it is. @return completes when the broker has forgotten it too */
    CompletableFuture<?> abandon() {
        session.held().takeAll();
        TransactionKey key = ahead;
        ahead = null;
        doomed = null;
        return key == null
                ? CompletableFuture.completedFuture(null)
                : link().transaction(key, TransactionStep.ROLLBACK);
    }
}
