package io.metaq.state;

/** Why a record had no effect when it was applied. */
public enum Refusal {
    UNKNOWN_TOPIC,
    UNKNOWN_PARTITION,
    UNKNOWN_GROUP,
    /** The partition is closed for publishing. */
    CLOSED,
    /** A topic of that name is there already. */
    EXISTS,
    /** A producer's sequence lies before what is remembered of it: whether it was stored cannot be told. */
    STALE_SEQUENCE,
    UNKNOWN_SUBSCRIPTION,
    /** A message that was to be acknowledged together with something else is not pending any more. */
    NOT_PENDING,
    /** A prepared transaction holds messages of it, which it must be able to commit. */
    PREPARED,
    /** The messages of temporary destinations take all the memory that they may. */
    MEMORY_FULL,
    /** The request asks for what cannot be, such as fewer partitions than the topic has. */
    INVALID
}
