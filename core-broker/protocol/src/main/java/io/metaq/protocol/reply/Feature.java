package io.metaq.protocol.reply;

/** The names that stand behind {@code features}. Each says that a verb, or an option of one, is served. */
public final class Feature {
    /** The verb {@code append}. */
    public static final String APPEND = "append";
    /** {@code producer} and {@code seq} of append: a resend is recognised and not stored twice. */
    public static final String IDEMPOTENT = "idempotent";
    /** {@code durability} of append. */
    public static final String DURABILITY = "durability";
    /** {@code wait} and {@code min} of get. */
    public static final String GET_WAIT = "get-wait";
    /** {@code time} and {@code at} of offset. */
    public static final String TIME = "time";
    /** The verb {@code topic}. */
    public static final String TOPIC = "topic";
    /** The verb {@code group} for offsets. */
    public static final String GROUP = "group";
    /** {@code group join}, {@code leave} and {@code release}. */
    public static final String MEMBERSHIP = "membership";
    /** The verb {@code transaction}. */
    public static final String TRANSACTION = "transaction";

    private Feature() {}
}
