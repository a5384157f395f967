package io.metaq.state.dispatch;

import io.metaq.message.BodyKind;
import io.metaq.message.HeaderField;
import io.metaq.message.MalformedPropertiesException;
import io.metaq.message.MessageBody;
import io.metaq.message.MessageFlags;
import io.metaq.message.PropertyBlock;
import io.metaq.message.PropertyBlockWriter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** The copy of a message that goes to another queue because nobody could make use of it, and says so. */
final class DeadLetter {
    /** Why the message is where it is. */
    static final String REASON = "JMS_MetaQ_DeadLetterReason";
    /** Where it was sent to, as {@code queue://NAME} or {@code topic://NAME}. */
    static final String ORIGINAL_DESTINATION = "JMS_MetaQ_OriginalDestination";
    /** Its id there. */
    static final String ORIGINAL_MESSAGE_ID = "JMS_MetaQ_OriginalMessageID";
    /** Name of the subscription that it failed in. */
    static final String ORIGINAL_SUBSCRIPTION = "JMS_MetaQ_OriginalSubscription";
    /** How often it was delivered there. */
    static final String DELIVERIES = "JMS_MetaQ_Deliveries";

    /** A copy must neither run out nor be held back where it is looked for. */
    private static final Set<HeaderField> DROPPED =
            Set.of(HeaderField.EXPIRATION, HeaderField.DELIVERY_TIME, HeaderField.DESTINATION);

    private static final Set<String> ADDED =
            Set.of(REASON, ORIGINAL_DESTINATION, ORIGINAL_MESSAGE_ID, ORIGINAL_SUBSCRIPTION, DELIVERIES);

    private DeadLetter() {}

    /**
     * One whole stored message without an id.
     *
     * @param origin where it was sent to
     * @param queue where the copy goes
     */
    static ByteBuffer copy(
            int flag,
            ByteBuffer body,
            long id,
            String reason,
            String origin,
            String subscription,
            int deliveries,
            String queue) {
        PropertyBlockWriter block = new PropertyBlockWriter();
        PropertyBlock old = block(flag, body);
        int usableFlag = old == null ? flag & ~MessageFlags.PROPERTIES : flag;
        String messageId = old == null ? null : old.headerString(HeaderField.MESSAGE_ID);
        block.property(REASON, reason)
                .property(ORIGINAL_DESTINATION, origin)
                .property(ORIGINAL_SUBSCRIPTION, subscription)
                .property(ORIGINAL_MESSAGE_ID, messageId == null ? "ID:" + id : messageId)
                .property(DELIVERIES, deliveries)
                .header(HeaderField.DESTINATION, "queue://" + queue);
        if (old != null) {
            block.addAll(old, DROPPED);
        } else {
            // With a block it would otherwise be a message without a body to JMS.
            block.header(HeaderField.BODY_KIND, BodyKind.BYTES.number());
        }
        return stored(usableFlag, body, block);
    }

    /** Name of the destination that a dead letter was sent to; null if it is none. */
    static @Nullable String origin(@Nullable PropertyBlock properties) {
        try {
            if (properties != null && properties.property(ORIGINAL_DESTINATION) instanceof String text) {
                int scheme = text.indexOf("://");
                return scheme < 0 ? null : text.substring(scheme + 3);
            }
            return null;
        } catch (MalformedPropertiesException e) {
            return null;
        }
    }

    /** A dead letter as what it was before, but for what must not hold any more. One whole stored message without an id. */
    static ByteBuffer restored(int flag, ByteBuffer body) {
        PropertyBlockWriter block = new PropertyBlockWriter();
        PropertyBlock old = block(flag, body);
        if (old != null) {
            old.forEachHeader((header, value) -> {
                if (!DROPPED.contains(header)) {
                    block.header(header, value);
                }
            });
            old.forEachProperty((name, value) -> {
                if (!ADDED.contains(name) && !block.has(name)) {
                    block.property(name, value);
                }
            });
        }
        return stored(flag, body, saysNothing(block) ? new PropertyBlockWriter() : block);
    }

    /** Whether it means no more than no block does: the message had none before it became a dead letter. */
    private static boolean saysNothing(PropertyBlockWriter block) {
        byte[] bytesAlone = new PropertyBlockWriter()
                .header(HeaderField.BODY_KIND, BodyKind.BYTES.number())
                .toBytes();
        return Arrays.equals(block.toBytes(), bytesAlone);
    }

    private static ByteBuffer stored(int usableFlag, ByteBuffer body, PropertyBlockWriter block) {
        byte[] copied = MessageBody.replaceBlock(usableFlag, body, block);
        CRC32 crc = new CRC32();
        crc.update(copied);
        return ByteBuffer.allocate(LogWindow.HEADER_BYTES + copied.length)
                .putInt(copied.length)
                .putInt((int) crc.getValue() & 0x7FFFFFFF)
                .putLong(0)
                .putInt(MessageFlags.withBlock(usableFlag, block.flags()))
                .put(copied)
                .flip();
    }

    /** Null also for one that cannot be read: then all of the body is payload. */
    private static @Nullable PropertyBlock block(int flag, ByteBuffer body) {
        try {
            PropertyBlock block = PropertyBlock.ofBody(flag, body);
            return block == null ? null : block.check();
        } catch (MalformedPropertiesException e) {
            return null;
        }
    }
}
