package io.metaq.message;

/** What all who store and read payloads in chunks agree on: the document's section on large payloads. */
public final class LargePayload {
    /** What the names of companion topics end with. */
    public static final String COMPANION_SUFFIX = ".large";

    /** Bytes of each chunk but the last one of a payload. */
    public static final int CHUNK_BYTES = 1 << 20;

    /** Companion of all temporary destinations, which are kept in memory themselves. */
    public static final String TEMPORARY_COMPANION = "temporary" + COMPANION_SUFFIX;

    private LargePayload() {}

    /** Whether a topic of that name may hold chunks. */
    public static boolean isCompanion(String topic) {
        return topic.endsWith(COMPANION_SUFFIX);
    }
}
