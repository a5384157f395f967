package io.metaq.client;

import io.metaq.client.MetaqException.Failure;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A message. What an application sees of it never changes (but for the rollback mark of a received one), so it can be shared between
 * threads and given to any selector.
 *
 * <pre>{@code
 * producer.send(Message.of("orders", data).key("customer-7").attribute("v2"));
 * }</pre>
 */
public final class Message {

    private static final byte[] EMPTY = new byte[0];

    private final String topic;
    private final MessageData data;
    private final @Nullable String attribute;
    private final @Nullable String key;
    private final int flag;
    private final @Nullable TopicPartition partition;
    private final @Nullable Durability durability;
    private final long id;
    private final long offset;
    private volatile boolean rollback;

    private Message(Parts parts, long id, long offset) {
        this.topic = parts.topic;
        this.data = parts.data;
        this.attribute = parts.attribute;
        this.key = parts.key;
        this.flag = parts.flag;
        this.partition = parts.partition;
        this.durability = parts.durability;
        this.id = id;
        this.offset = offset;
    }

    private record Parts(
            String topic,
            MessageData data,
            @Nullable String attribute,
            @Nullable String key,
            int flag,
            @Nullable TopicPartition partition,
            @Nullable Durability durability) {}

    private Parts parts(
            @Nullable String attribute, @Nullable String key, int flag, @Nullable TopicPartition partition) {
        return new Parts(topic, data, attribute, key, flag, partition, durability);
    }

    /**
     * A message to send.
     *
     * @param topic without blanks and control characters
     * @param data the payload; not copied, so leave it alone until the send has its outcome
     */
    public static Message of(String topic, byte[] data) {
        TopicNames.check(topic);
        return new Message(new Parts(topic, new MessageData(data), null, null, 0, null, null), -1, -1);
    }

    /** A message without payload. */
    public static Message of(String topic) {
        return of(topic, EMPTY);
    }

    static Message received(
            TopicPartition partition, long id, long offset, int flag, @Nullable String attribute, MessageData data) {
        return new Message(new Parts(partition.topic(), data, attribute, null, flag, partition, null), id, offset);
    }

    /** The same with a key: {@link PartitionSelector#byKey} keeps messages of one key in order. The key is not stored. */
    public Message key(String newKey) {
        return new Message(parts(attribute, newKey, flag, partition), id, offset);
    }

    /** The same with an attribute: a text that is stored with the message, for filters and tags. */
    public Message attribute(String newAttribute) {
        return new Message(parts(newAttribute, key, flag, partition), id, offset);
    }

    /**
     * The same with other flag bits, stored and returned untouched.
     *
     * @param newFlag bit 0 belongs to the protocol ("has an attribute") and is ignored
     */
    public Message flag(int newFlag) {
        return new Message(parts(attribute, key, newFlag, partition), id, offset);
    }

    /**
     * The same for exactly this partition: no selector is asked, no other broker is tried, and where the broker is known already no
     * route is asked for.
     */
    public Message to(TopicPartition target) {
        if (!target.topic().equals(topic)) {
            throw new IllegalArgumentException("partition " + target + " is not one of topic " + topic);
        }
        return new Message(parts(attribute, key, flag, target), id, offset);
    }

    /**
     * The same with a safety of its own, whatever the producer's is. Messages that travel together are all made as safe as the most
     * demanding of them asks.
     */
    public Message durability(Durability wanted) {
        return new Message(new Parts(topic, data, attribute, key, flag, partition, wanted), id, offset);
    }

    public String topic() {
        return topic;
    }

    /** The payload as an array of its own: changing it changes no message. */
    public byte[] data() {
        return data.copy();
    }

    /**
     * The payload without a copy, read-only. Of a message from a {@link FetchedBatch} valid until the batch is closed, of a borrowed one
     * ({@link ConsumerBuilder#borrowPayloads}) until its listener returns.
     */
    public ByteBuffer buffer() {
        return data.view();
    }

    /** Size of the payload in bytes. */
    public int size() {
        return data.size();
    }

    public @Nullable String attribute() {
        return attribute;
    }

    public @Nullable String key() {
        return key;
    }

    /** All 32 bits; bit 0 is set if and only if the message was stored with an attribute. */
    public int flag() {
        return flag;
    }

    /** Where a received message is stored, or where a message to send must go; null when a selector is to decide. */
    public @Nullable TopicPartition partition() {
        return partition;
    }

    /** How safe this message is to be before its send is answered; null where its producer decides. */
    public @Nullable Durability durability() {
        return durability;
    }

    /** The broker's id for a received message, -1 before. */
    public long id() {
        return id;
    }

    /** Byte position of a received message in its partition, -1 before. */
    public long offset() {
        return offset;
    }

    /**
     * Asks for another delivery of this message without an exception: it counts as failed when the listener returns.
     *
     * @throws IllegalStateException for a message that was not received
     */
    public void markRollback() {
        if (offset < 0) {
            throw new IllegalStateException("only a received message can be marked for rollback");
        }
        rollback = true;
    }

    /** Whether {@link #markRollback()} was called. */
    public boolean isMarkedForRollback() {
        return rollback;
    }

    void clearRollback() {
        // Nearly never set; a volatile write per message would cost more than the look.
        if (rollback) {
            rollback = false;
        }
    }

    MessageData payload() {
        return data;
    }

    @Override
    public String toString() {
        return "Message[" + (partition == null ? topic : partition) + " id=" + id + " offset=" + offset + " size="
                + size() + "]";
    }

    static MetaqException batchClosed() {
        return new ClientClosedException(
                new Failure("the batch of this message is closed", null, null, 0, false, false), null);
    }
}
