package io.metaq.client.subscription;

import java.nio.ByteBuffer;

/** A message as it was delivered to a consumer. */
public final class Delivery {
    private final int partition;
    private final long offset;
    private final int deliveryCount;
    private final long messageId;
    private final int flag;
    private final byte[] body;

    /**
     * @param offset of its header in the partition
     * @param deliveryCount 1 for the first time
     * @param body as stored: attribute, property block, payload, as the flag says
     */
    public Delivery(int partition, long offset, int deliveryCount, long messageId, int flag, byte[] body) {
        this.partition = partition;
        this.offset = offset;
        this.deliveryCount = deliveryCount;
        this.messageId = messageId;
        this.flag = flag;
        this.body = body;
    }

    public int partition() {
        return partition;
    }

    /** Byte position of its header in the partition. */
    public long offset() {
        return offset;
    }

    /** Where it ends, and the next message begins. */
    public long endOffset() {
        return offset + 20 + body.length;
    }

    /** 1 for the first delivery; more if it came before. */
    public int deliveryCount() {
        return deliveryCount;
    }

    public long messageId() {
        return messageId;
    }

    public int flag() {
        return flag;
    }

    /** The body as stored, not copied: it is not to be changed. */
    public byte[] body() {
        return body;
    }

    /** The body as stored, read-only. */
    public ByteBuffer buffer() {
        return ByteBuffer.wrap(body).asReadOnlyBuffer();
    }

    @Override
    public String toString() {
        return partition + ":" + offset + " id " + messageId + ", delivery " + deliveryCount + ", " + body.length
                + " bytes";
    }
}
