package io.metaq.protocol;

/** Bytes that were said to be a message and cannot be one. */
public final class DamagedMessageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int position;

    public DamagedMessageException(int position, String text) {
        super(text + " at byte " + position + " of the slice");
        this.position = position;
    }

    /** Bytes between the start of the slice and the header of the damaged message. */
    public int position() {
        return position;
    }
}
