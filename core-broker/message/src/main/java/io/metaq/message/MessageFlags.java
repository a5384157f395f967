package io.metaq.message;

import java.nio.ByteBuffer;

/**
 * What the low bits of a message's flag say about its body. The bits above {@link #PROPERTIES} count only where that one is set:
 * senders that know of no properties may have used them for something else.
 *
 * <pre>
 * body = [int32 A, A bytes of attribute]        if ATTRIBUTE
 *        [int32 N, N bytes of property block]   if PROPERTIES
 *        payload
 * </pre>
 */
public final class MessageFlags {
    /** The body begins with an attribute. */
    public static final int ATTRIBUTE = 1;

    /** The body has a property block. */
    public static final int PROPERTIES = 2;

    /** The priority is not 4, or there is a delivery time: the order of the log is not the order of delivery. */
    public static final int SCHEDULED = 4;

    /** The message belongs to a group, which one consumer at a time gets. */
    public static final int GROUPED = 8;

    /** The message has an expiration. */
    public static final int EXPIRES = 16;

    /** The payload is elsewhere: the block says where. */
    public static final int LARGE = 32;

    private static final int BEYOND_PROPERTIES = SCHEDULED | GROUPED | EXPIRES | LARGE;

    private MessageFlags() {}

    /** Whether the flag has the bit, and a property block where the bit needs one to count. */
    public static boolean has(int flag, int bit) {
        return (flag & bit) != 0 && ((bit & BEYOND_PROPERTIES) == 0 || (flag & PROPERTIES) != 0);
    }

    /** The flag with its bits of the property block replaced by {@code blockFlags}. The attribute's bit and foreign bits stay. */
    public static int withBlock(int flag, int blockFlags) {
        return (flag & ~(PROPERTIES | BEYOND_PROPERTIES)) | blockFlags;
    }

    /**
     * Index in the buffer of the first byte of the payload.
     *
     * @param body the whole body, from its position to its limit; left as it is
     * @throws MalformedPropertiesException if a length that the flag promises is not there or reaches beyond the body
     */
    public static int bodyStart(int flag, ByteBuffer body) {
        int at = blockStart(flag, body);
        return (flag & PROPERTIES) == 0 ? at : skipSection(body, at, "property block");
    }

    /** Index in the buffer of the property block's length, or of the payload if there is no block. */
    static int blockStart(int flag, ByteBuffer body) {
        return (flag & ATTRIBUTE) == 0 ? body.position() : skipSection(body, body.position(), "attribute");
    }

    private static int skipSection(ByteBuffer body, int at, String what) {
        if (body.limit() - at < 4) {
            throw new MalformedPropertiesException("the body ends within the length of its " + what);
        }
        int length = body.duplicate().getInt(at);
        if (length < 0 || length > body.limit() - at - 4) {
            throw new MalformedPropertiesException(
                    what + " of " + length + " bytes in a body that has " + (body.limit() - at - 4) + " left");
        }
        return at + 4 + length;
    }
}
