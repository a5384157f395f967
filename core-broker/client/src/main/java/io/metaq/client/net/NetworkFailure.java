package io.metaq.client.net;

import org.jspecify.annotations.Nullable;

/**
 * Why a request got no reply.
 *
 * @param kind what happened
 * @param text for people
 * @param cause the exception behind it, if there is one
 */
public record NetworkFailure(
        Kind kind, String text, @Nullable Throwable cause) {

    /** Which of these it is decides whether the broker can have seen the request. */
    public enum Kind {
        /** No connection: the request was not sent. */
        UNREACHABLE,
        /** The connection ended after the request was written, wholly or in part. */
        LOST,
        /** No reply in time. */
        TIMED_OUT,
        /** This side was closed before the request was sent. */
        CLOSED,
        /** The broker does not let this client in: the request was not sent, and the next attempt would end in the same way. */
        REFUSED
    }

    /** Whether the broker may have acted on the request. */
    public boolean maybeDone() {
        return kind == Kind.LOST || kind == Kind.TIMED_OUT;
    }
}
