package io.metaq.client;

/** A message read from a broker does not match its checksum or has an impossible length. */
public final class CorruptMessageException extends MetaqException {

    private static final long serialVersionUID = 1L;

    private final long offset;
    private final long nextOffset;

    CorruptMessageException(Failure failure, long offset, long nextOffset) {
        super(failure, null);
        this.offset = offset;
        this.nextOffset = nextOffset;
    }

    /** Byte position of the damaged message. */
    public long offset() {
        return offset;
    }

    /** Where to go on to skip the damage; -1 when only the broker's next segment can tell. */
    public long nextOffset() {
        return nextOffset;
    }
}
