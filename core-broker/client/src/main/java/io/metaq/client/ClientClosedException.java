package io.metaq.client;

import org.jspecify.annotations.Nullable;

/** The client, producer or consumer was closed before or during the call. */
public final class ClientClosedException extends MetaqException {

    private static final long serialVersionUID = 1L;

    ClientClosedException(String what, boolean outcomeUnknown) {
        this(new Failure(what + " is closed", null, null, 0, false, outcomeUnknown), null);
    }

    ClientClosedException(Failure failure, @Nullable Throwable cause) {
        super(failure, cause);
    }
}
