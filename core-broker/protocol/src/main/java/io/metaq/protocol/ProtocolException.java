package io.metaq.protocol;

import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A frame that cannot be understood. Its connection is lost, since nobody can tell where the next frame begins. It has no stack
 * trace: the place in our code says nothing about a stranger's bytes, and a hostile peer must not be able to make us collect one.
 */
public final class ProtocolException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Status status;
    private final @Nullable Integer opaque;

    public ProtocolException(Status status, String text) {
        this(status, text, null);
    }

    public ProtocolException(Status status, String text, @Nullable Integer opaque) {
        super(text, null, false, false);
        this.status = status;
        this.opaque = opaque;
    }

    public Status status() {
        return status;
    }

    /** The opaque of the refused request if it could be read: then a client that negotiated is told before the close. */
    public OptionalInt opaque() {
        return opaque == null ? OptionalInt.empty() : OptionalInt.of(opaque);
    }
}
