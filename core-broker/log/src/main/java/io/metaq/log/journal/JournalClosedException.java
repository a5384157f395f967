package io.metaq.log.journal;

import org.jspecify.annotations.Nullable;

/** The journal takes no more records: it was closed, or it failed and the cause says why. */
public final class JournalClosedException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    public JournalClosedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
