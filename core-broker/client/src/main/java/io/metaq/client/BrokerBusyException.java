package io.metaq.client;

import org.jspecify.annotations.Nullable;

/** A broker refuses work for now: too busy (503), overloaded behind (504) or its disk is full (507). Retriable. */
public final class BrokerBusyException extends MetaqException {

    private static final long serialVersionUID = 1L;

    BrokerBusyException(Failure failure, @Nullable Throwable cause) {
        super(failure, cause);
    }
}
