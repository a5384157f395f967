package io.metaq.message;

/** What a payload is, as {@link HeaderField#BODY_KIND} says it. */
public enum BodyKind {
    /** Nothing is said about the payload. */
    MESSAGE,
    /** UTF-8. */
    TEXT,
    /** Bytes as they are. */
    BYTES,
    /** Named values: {@link MessageBody#encodeMap}. */
    MAP,
    /** Values in order: {@link MessageBody#encodeStream}. */
    STREAM,
    /** Java serialization; nothing for no object. */
    OBJECT,
    /** A text that is null, which is not the empty text; no payload. */
    NULL_TEXT;

    private static final BodyKind[] KINDS = values();

    public int number() {
        return ordinal();
    }

    /** The kind of a message without properties is {@link #BYTES}: what a client sends that knows of no properties. */
    public static BodyKind of(PropertyBlock block) {
        int number = block.headerInt(HeaderField.BODY_KIND, 0);
        return number >= 0 && number < KINDS.length ? KINDS[number] : BYTES;
    }
}
