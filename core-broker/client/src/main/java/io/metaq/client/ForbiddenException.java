package io.metaq.client;

import org.jspecify.annotations.Nullable;

/** The partition is closed for this use, or the caller may not do it (401, 403). */
public final class ForbiddenException extends MetaqException {

    private static final long serialVersionUID = 1L;

    ForbiddenException(Failure failure, @Nullable Throwable cause) {
        super(failure, cause);
    }
}
