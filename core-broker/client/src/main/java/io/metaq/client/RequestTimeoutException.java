package io.metaq.client;

import org.jspecify.annotations.Nullable;

/** No answer in time. Retriable; the broker may have done what it was asked. */
public final class RequestTimeoutException extends MetaqException {

    private static final long serialVersionUID = 1L;

    RequestTimeoutException(Failure failure, @Nullable Throwable cause) {
        super(failure, cause);
    }
}
