package io.metaq.jms.consumer;

/** Who else could get what is delivered to a consumer: how far it may fetch ahead, and how soon it has to acknowledge. */
public enum Rivals {
    /** Consumers of other connections. */
    OTHERS,
    /** Nobody while this connection lives; whoever consumes from the subscription next. */
    LATER,
    /** Nobody: what is not acknowledged when the connection ends is gone with it. */
    NONE
}
