package io.metaq.state.subscription;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What a subscription is, for as long as it lives.
 *
 * @param name unique in the broker
 * @param topicId number of its topic; negative for a temporary one
 * @param selector which messages it takes; null for all
 * @param noLocalOrigin origin of the messages that it does not take; null for none
 */
public record SubscriptionInfo(
        String name,
        int topicId,
        Kind kind,
        @Nullable String selector,
        @Nullable String noLocalOrigin) {

    /** Prefix of the name of a queue's one subscription. */
    public static final String QUEUE_PREFIX = "queue:";

    /** What a subscription is used for. The order is the format's. */
    public enum Kind {
        /** A queue's one subscription: made and deleted with it. */
        QUEUE,
        DURABLE,
        SHARED_DURABLE,
        /** Not journalled. */
        TRANSIENT
    }

    /** That of the queue {@code name}. */
    public static SubscriptionInfo ofQueue(String name, int topicId) {
        return new SubscriptionInfo(QUEUE_PREFIX + name, topicId, Kind.QUEUE, null, null);
    }

    public void write(DataOutputStream out) throws IOException {
        out.writeUTF(name);
        out.writeInt(topicId);
        out.writeByte(kind.ordinal());
        writeText(out, selector);
        writeText(out, noLocalOrigin);
    }

    /** Reads what {@link #write} wrote. */
    public static SubscriptionInfo read(DataInputStream in) throws IOException {
        return new SubscriptionInfo(
                in.readUTF(), in.readInt(), Kind.values()[in.readByte()], readText(in), readText(in));
    }

    /** A selector may be longer than what writeUTF takes. */
    private static void writeText(DataOutputStream out, @Nullable String text) throws IOException {
        if (text == null) {
            out.writeInt(-1);
            return;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static @Nullable String readText(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0) {
            return null;
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
