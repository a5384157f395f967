package io.metaq.client;

import org.jspecify.annotations.Nullable;

/** The broker does not accept the request as it is (400, 409, 413): it has to be changed. */
public final class BadRequestException extends MetaqException {

    private static final long serialVersionUID = 1L;

    BadRequestException(Failure failure, @Nullable Throwable cause) {
        super(failure, cause);
    }
}
