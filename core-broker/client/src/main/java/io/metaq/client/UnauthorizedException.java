package io.metaq.client;

import org.jspecify.annotations.Nullable;

/** The broker does not know the user or the password, or asks for them (401). */
public final class UnauthorizedException extends MetaqException {

    private static final long serialVersionUID = 1L;

    UnauthorizedException(Failure failure, @Nullable Throwable cause) {
        super(failure, cause);
    }
}
