package io.metaq.client;

import org.jspecify.annotations.Nullable;

/** The broker is too old for this call: it speaks the 1.4 protocol only. */
public final class UnsupportedByBrokerException extends MetaqException {

    private static final long serialVersionUID = 1L;

    UnsupportedByBrokerException(Failure failure, @Nullable Throwable cause) {
        super(failure, cause);
    }
}
