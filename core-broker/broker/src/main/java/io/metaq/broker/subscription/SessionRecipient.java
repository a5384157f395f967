package io.metaq.broker.subscription;

import io.metaq.broker.net.Session;
import io.metaq.state.dispatch.Dispatch;
import io.metaq.state.dispatch.Recipient;
import java.nio.ByteBuffer;

/** A consumer of a connection, on the dispatch's loop; that of the connection may be another. */
final class SessionRecipient implements Recipient {
    private final Session session;
    private final int consumer;
    private final HostedDispatch host;
    private final Runnable whenDetached;
    private boolean waiting;

    SessionRecipient(Session session, int consumer, HostedDispatch host, Runnable whenDetached) {
        this.session = session;
        this.consumer = consumer;
        this.host = host;
        this.whenDetached = whenDetached;
    }

    @Override
    public boolean writable() {
        if (session.writable()) {
            return true;
        }
        if (!waiting) {
            waiting = true;
            session.whenWritable(() -> host.later(this::roomAgain));
        }
        return false;
    }

    private void roomAgain(Dispatch dispatch) {
        waiting = false;
        dispatch.wake();
    }

    @Override
    public void deliver(int partition, long offset, int count, int deliveryCount, ByteBuffer run) {
        session.deliver(consumer, partition, offset, count, deliveryCount, run);
        host.touch(session);
    }

    @Override
    public void detached(String reason) {
        session.detached(consumer, reason);
        host.touch(session);
        whenDetached.run();
    }

    @Override
    public String toString() {
        return "consumer " + consumer + " of " + session;
    }
}
