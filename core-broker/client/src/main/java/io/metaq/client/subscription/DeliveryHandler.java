package io.metaq.client.subscription;

/** Takes what is delivered to one consumer. Called on the network thread, in order; must not block. */
public interface DeliveryHandler {

    void delivered(Delivery message);

    /**
     * The connection was lost and the consumer is attached again: all its leases are gone and its credit is 0. What the application was
     * not shown yet is to be dropped, since it comes again; what it was shown can still be acknowledged while nobody else got it.
     */
    void reset();

    /** The broker ended the consumer: its destination or subscription was deleted, or an operator wanted it. Nothing more comes. */
    void detached(String reason);
}
