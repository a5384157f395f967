package io.metaq.jms.producer;

import io.metaq.client.MetaqException;
import io.metaq.jms.destination.MetaQDestination;
import io.metaq.jms.failure.Failures;
import io.metaq.jms.option.ConnectionOption;
import io.metaq.jms.transport.ConnectionScope;
import io.metaq.jms.transport.Outgoing;
import jakarta.jms.CompletionListener;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.jspecify.annotations.Nullable;

/**
 * The way of a session's messages out: at once, or held until commit. All messages of a session to a destination go to one partition by
 * one producer, so that they stay in order whatever the mix of waiting and asynchronous sends.
 */
public final class SessionSends {

    private final ConnectionScope scope;
    private final int session;
    private final Hold hold;
    private final boolean waitAlways;
    private final Completions completions;

    /**
     * @param session number of the session in its connection
     * @param hold where messages wait for a commit
     */
    public SessionSends(ConnectionScope scope, int session, Hold hold, Completions completions) {
        this.scope = scope;
        this.session = session;
        this.hold = hold;
        this.completions = completions;
        this.waitAlways = scope.options().flag(ConnectionOption.SYNC_NON_PERSISTENT);
    }

    public Completions completions() {
        return completions;
    }

    /** Sends; persistent messages are on the disk when it returns, unless the session is transacted. */
    void send(MetaQDestination destination, Message message, SendOptions options) throws JMSException {
        Outgoing outgoing = prepare(destination, message, options);
        if (hold.take(outgoing)) {
            return;
        }
        if (options.persistent() || waitAlways) {
            try {
                scope.transport().send(outgoing);
            } catch (JMSException e) {
                throw failed(destination, e);
            }
        } else {
            scope.transport().send(outgoing, (result, failure) -> {
                if (failure != null) {
                    scope.reports().report(failed(destination, Failures.of(failure, "send to " + destination)));
                }
            });
        }
    }

    /** Sends without waiting; the listener is called when a send that waits would have returned. */
    void send(
            Object producer,
            MetaQDestination destination,
            Message message,
            SendOptions options,
            CompletionListener listener)
            throws JMSException {
        Outgoing outgoing = prepare(destination, message, options);
        Completions.Send send = completions.begin(producer, message, listener);
        if (hold.take(outgoing)) {
            send.completed(null);
        } else {
            scope.transport().send(outgoing, (result, failure) -> send.completed(outcome(destination, failure)));
        }
    }

    private @Nullable JMSException outcome(MetaQDestination destination, @Nullable MetaqException failure) {
        return failure == null ? null : failed(destination, Failures.of(failure, "send to " + destination));
    }

    private JMSException failed(MetaQDestination destination, JMSException failure) {
        if (failure instanceof InvalidDestinationException) {
            scope.destinations().forget(destination);
        }
        return failure;
    }

    private Outgoing prepare(MetaQDestination destination, Message message, SendOptions options) throws JMSException {
        int partitions = scope.destinations().ensure(destination);
        return Departure.prepare(scope, destination, Math.floorMod(session, partitions), message, options);
    }
}
