package io.metaq.client.subscription;

/** Takes what is delivered to one consumer. Called on the network thread, in order; must not block. */
public interface DeliveryHandler {

    void delivered(Delivery message);

    /**
     * The connection was lost, and with it all leases. What the application was not shown yet is to be dropped: it comes again, perhaps to
     * another consumer.
     */
    default void lost() {}

    /**
     * After {@link #lost} the consumer is attached again, with a credit of 0. What the application was shown can still be acknowledged
     * while nobody else got it.
     */
    void reset();

    /** The broker ended the consumer: its destination or subscription was deleted, or an operator wanted it. Nothing more comes. */
    void detached(String reason);
}
