package io.metaq.protocol.codec;

/** An option that is not offered, or whose value is wrong. The frame around it is sound. Never leaves this package. */
final class RejectedOptionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RejectedOptionException(String text) {
        super(text, null, false, false);
    }
}
