package io.metaq.client;

import org.jspecify.annotations.Nullable;

/** A broker cannot be reached, or the connection broke. Retriable. */
public final class BrokerUnavailableException extends MetaqException {

    private static final long serialVersionUID = 1L;

    BrokerUnavailableException(Failure failure, @Nullable Throwable cause) {
        super(failure, cause);
    }
}
