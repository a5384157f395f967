package io.metaq.protocol;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** What a broker answers. A {@link Value} carries a body that the receiver must release exactly once. */
public sealed interface Response {
    /** The opaque of the request. */
    int opaque();

    /** Gives the body back, if there is one. */
    default void release() {}

    /** A code and a text. The text of an error says what to do. */
    record Result(int code, String text, int opaque) implements Response {
        public Result(Status status, String text, int opaque) {
            this(status.code(), text, opaque);
        }

        /** Null for a code that this version does not know: treat it as a failure. */
        public @Nullable Status status() {
            return Status.of(code);
        }

        public boolean ok() {
            return code == Status.OK.code();
        }
    }

    /** Stored messages, byte for byte as on disk; the first and the last one may be cut. */
    record Value(ByteBuf body, int opaque) implements Response {
        public int length() {
            return body.readableBytes();
        }

        @Override
        public void release() {
            body.release();
        }
    }
}
