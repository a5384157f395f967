package io.metaq.client;

import org.jspecify.annotations.Nullable;

/** The partition is closed for this use, or it belongs to another connection (403). */
public final class ForbiddenException extends MetaqException {

    private static final long serialVersionUID = 1L;

    ForbiddenException(Failure failure, @Nullable Throwable cause) {
        super(failure, cause);
    }
}
