package io.metaq.state.record;

/** The type byte of a journal record (docs/log-format.md, record types). */
public final class RecordType {
    public static final byte MESSAGES = 1;
    public static final byte BROKER_FOUNDED = 2;
    public static final byte TOPIC_CREATED = 3;
    public static final byte TOPIC_ALTERED = 4;
    public static final byte TOPIC_DELETED = 5;
    public static final byte PARTITIONS_GATED = 6;
    public static final byte OFFSET_COMMITTED = 7;
    public static final byte OFFSETS_RESET = 8;
    public static final byte GROUP_DELETED = 9;
    public static final byte PARTITION_TRIMMED = 10;
    public static final byte PRODUCERS_EXPIRED = 11;

    public static final byte SUBSCRIPTION_CREATED = 12;
    public static final byte SUBSCRIPTION_DELETED = 13;
    public static final byte SUBSCRIPTION_MOVED = 14;
    public static final byte SUBSCRIPTION_PAUSED = 15;
    public static final byte SUBSCRIPTION_PURGED = 16;
    public static final byte ACKNOWLEDGED = 17;
    public static final byte RETURNED = 18;
    public static final byte DELIVERED_MARK = 19;
    public static final byte MOVED = 20;
    public static final byte TRANSACTION = 21;
    public static final byte TRANSACTION_ENLISTED = 22;
    public static final byte TRANSACTION_PREPARED = 23;
    public static final byte TRANSACTION_COMMITTED = 24;
    public static final byte TRANSACTION_ROLLED_BACK = 25;
    public static final byte TRANSACTION_RESOLVED = 26;
    public static final byte TRANSACTION_FORGOTTEN = 27;

    private RecordType() {}
}
