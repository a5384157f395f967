package io.metaq.client.subscription;

/** Told what becomes of a {@link SubscriberLink}'s connection, on the network thread; must not block. */
public interface SubscriberListener {

    /** The connection is lost; another one is being made. Not called for a link that was never ready. */
    void interrupted(RuntimeException cause);

    /** There is a connection again, and everything is attached again. */
    void resumed();

    /** There will be no connection any more: the login or a claim was refused after a reconnect. The link is to be closed. */
    void failed(RuntimeException cause);
}
