package io.metaq.protocol;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * What a broker sends. {@link Value} and {@link Deliveries} carry a body that the receiver must release exactly once.
 */
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

    /** What comes without having been asked for. Its opaque is that of nobody. */
    sealed interface Unasked extends Response {
        /** The consumer it is for. */
        int consumer();

        @Override
        default int opaque() {
            return Request.NO_OPAQUE;
        }
    }

    /**
     * Messages for a consumer, whole and one behind the other in the log.
     *
     * @param offset of the first one in the partition
     * @param count how many
     * @param delivery the delivery count of each: 1 if it comes for the first time
     */
    record Deliveries(int consumer, int partition, long offset, int count, int delivery, ByteBuf body)
            implements Unasked {
        @Override
        public void release() {
            body.release();
        }
    }

    /** The broker ended a consumer. The text is for people. */
    record Detached(int consumer, String text) implements Unasked {}
}
