package io.metaq.message;

/** Bytes that claim to be a property block, a map or a stream and are not. The sender is at fault, the message stays as it is. */
public final class MalformedPropertiesException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public MalformedPropertiesException(String message) {
        super(message);
    }
}
