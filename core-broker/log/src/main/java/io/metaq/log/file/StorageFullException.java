package io.metaq.log.file;

import java.io.IOException;

/** The disk, or the quota of the user the broker runs as, has no room left. Goes away once space is freed. */
public final class StorageFullException extends IOException {

    private static final long serialVersionUID = 1L;

    public StorageFullException(String message) {
        super(message);
    }

    public StorageFullException(String message, Throwable cause) {
        super(message, cause);
    }
}
