package io.metaq.state;

import io.metaq.message.HeaderField;
import io.metaq.message.MalformedPropertiesException;
import io.metaq.message.MessageFlags;
import io.metaq.message.PropertyBlock;
import io.metaq.state.record.MessageRecord;
import java.nio.ByteBuffer;

/** Finds out which of the messages that are being appended have a turn of their own. */
final class Scheduling {
    private static final int USUAL_PRIORITY = 4;
    private static final int HIGHEST_PRIORITY = 9;

    private Scheduling() {}

    /**
     * Adds the scheduled ones to the partition's index.
     *
     * @param offset of the first message
     * @param messages whole stored messages, position to limit; left as it is
     * @param flags all their flags, as one: where no message can be scheduled none is looked at
     */
    static void index(Partition partition, long offset, ByteBuffer messages, int flags) {
        if (!MessageFlags.has(flags, MessageFlags.SCHEDULED)) {
            return;
        }
        int first = messages.position();
        int at = first;
        while (at < messages.limit()) {
            int length = messages.getInt(at);
            int body = at + MessageRecord.MESSAGE_HEADER_BYTES;
            int flag = messages.getInt(at + MessageRecord.FLAG_AT);
            if (MessageFlags.has(flag, MessageFlags.SCHEDULED)) {
                indexOne(partition, offset + at - first, flag, messages.slice(body, length));
            }
            at = body + length;
        }
    }

    /** As {@link #index}, for one message. */
    static void indexOne(Partition partition, long offset, int flag, ByteBuffer body) {
        if (!MessageFlags.has(flag, MessageFlags.SCHEDULED)) {
            return;
        }
        int priority;
        long deliveryTimeMs;
        try {
            PropertyBlock properties = PropertyBlock.ofBody(flag, body);
            if (properties == null) {
                return;
            }
            priority = properties.headerInt(HeaderField.PRIORITY, USUAL_PRIORITY);
            deliveryTimeMs = properties.headerLong(HeaderField.DELIVERY_TIME, 0);
        } catch (MalformedPropertiesException e) {
            return; // the client wrote nonsense: its message is delivered as any other
        }
        if (priority != USUAL_PRIORITY || deliveryTimeMs != 0) {
            partition.scheduled().add(offset, Math.max(0, Math.min(HIGHEST_PRIORITY, priority)), deliveryTimeMs);
        }
    }
}
