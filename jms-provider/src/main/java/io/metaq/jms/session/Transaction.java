package io.metaq.jms.session;

import io.metaq.client.subscription.TransactionParts;
import io.metaq.jms.failure.Deadline;
import io.metaq.jms.failure.Failures;
import io.metaq.jms.transport.Outgoing;
import io.metaq.jms.transport.Transport;
import jakarta.jms.JMSException;
import jakarta.jms.TransactionRolledBackException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Local transactions of a session: what was sent and received since the last end of one goes to the broker as one request, which does
 * all of it or nothing. Between transactions there is no state but an empty one.
 */
final class Transaction {

    private static final Logger LOG = LoggerFactory.getLogger(Transaction.class);

    private final SessionCore session;
    private final Transport transport;

    Transaction(SessionCore session, Transport transport) {
        this.session = session;
        this.transport = transport;
    }

    /**
     * @throws TransactionRolledBackException when the broker refused: nothing happened, what was received comes again
     * @throws JMSException when no answer came in time: the broker has done all or nothing of it
     */
    void commit() throws JMSException {
        Deadline deadline = transport.patience();
        session.sends().completions().await(deadline);
        List<Outgoing> sent = session.held().takeAll();
        List<Shown> received = session.acknowledgements().snapshot();
        if (sent.isEmpty() && received.isEmpty()) {
            return;
        }
        Unsettled acknowledged = Unsettled.of(received);
        TransactionParts parts = new TransactionParts();
        sent.forEach(message ->
                parts.send(message.destination().name(), message.partition(), message.flag(), message.data()));
        acknowledged.ranges().forEach((intake, ranges) -> parts.acknowledge(intake.consumer(), ranges));
        try {
            deadline.await(transport.link().transact(parts), "commit");
        } catch (JMSException e) {
            throw refused(e);
        }
        session.acknowledgements().forget(received);
        acknowledged.settled();
    }

    private JMSException refused(JMSException failure) {
        if (Failures.code(Failures.causeOf(failure)) == 0) {
            return failure;
        }
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
        session.held().takeAll();
        session.rewindAll();
    }
}
