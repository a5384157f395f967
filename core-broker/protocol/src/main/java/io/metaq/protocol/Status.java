package io.metaq.protocol;

import org.jspecify.annotations.Nullable;

/**
 * The codes of a {@code result}. Codes keep the meaning that MetaQ 1.4 gave them; 408, 409, 413, 501 and 507 are new and are only
 * sent for requests that 1.4 did not have or could not have answered better than by 500.
 */
public enum Status {
    OK(200, false, Actor.NOBODY),
    MOVED(301, true, Actor.CLIENT),
    BAD_REQUEST(400, false, Actor.CALLER),
    UNAUTHORIZED(401, false, Actor.CALLER),
    FORBIDDEN(403, false, Actor.OPERATOR),
    NOT_FOUND(404, false, Actor.CALLER),
    TIMEOUT(408, true, Actor.CLIENT),
    CONFLICT(409, false, Actor.CALLER),
    TOO_LARGE(413, false, Actor.CALLER),
    FAILED(500, false, Actor.OPERATOR),
    NOT_SUPPORTED(501, false, Actor.CALLER),
    BUSY(503, true, Actor.CLIENT),
    GATEWAY_TIMEOUT(504, true, Actor.CLIENT),
    STORAGE_FULL(507, true, Actor.OPERATOR);

    /** Who has to do something before the same request can succeed. */
    public enum Actor {
        /** Nothing is wrong. */
        NOBODY,
        /** The client library, by itself: go where the reply points, wait and send again, or choose another broker. */
        CLIENT,
        /** The code that calls the library: the request itself is wrong. */
        CALLER,
        /** Whoever runs the broker: its configuration, its topics or its disk. */
        OPERATOR
    }

    private final int code;
    private final boolean retriable;
    private final Actor actor;

    Status(int code, boolean retriable, Actor actor) {
        this.code = code;
        this.retriable = retriable;
        this.actor = actor;
    }

    public int code() {
        return code;
    }

    /** Whether the same request may succeed later, here or at another broker, without anyone changing it. */
    public boolean retriable() {
        return retriable;
    }

    public Actor actor() {
        return actor;
    }

    /** The status of a code, or null for a code that this version does not know (treat it as {@link #FAILED}). */
    public static @Nullable Status of(int code) {
        for (Status status : values()) {
            if (status.code == code) {
                return status;
            }
        }
        return null;
    }
}
