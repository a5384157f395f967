package io.metaq.protocol;

import java.util.Locale;

/** What a broker can do beyond MetaQ 1.4, as it says when it is asked for its version; in the order in which it says so. */
public enum Feature {
    APPEND,
    IDEMPOTENCE,
    GET_WAIT,
    OFFSET_TIME,
    TOPIC,
    GROUP,
    LOGIN,
    SUBSCRIPTION,
    TRANSACT,
    TRANSACTION,
    ROUTES;

    /** As it stands on the wire. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
