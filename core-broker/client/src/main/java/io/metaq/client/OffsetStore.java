package io.metaq.client;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps how far groups have read. Called on a consumer's own threads, one call at a time per consumer; may block. An exception
 * from {@link #commit} is logged and the commit repeated later with newer values.
 */
public interface OffsetStore extends AutoCloseable {

    /**
     * Where the group stands.
     *
     * @return null if the group has never stored an offset of this partition
     * @throws MetaqException when it cannot be told: the consumer tries again rather than begin at a wrong place
     */
    @Nullable
    StoredOffset load(String group, TopicPartition partition);

    /** Stores; on return the offsets survive the end of this process. */
    void commit(String group, Map<TopicPartition, StoredOffset> offsets);

    /** Releases what the store holds. Consumers close only stores that they opened themselves. */
    @Override
    default void close() {}

    /** One small file per group in this directory, replaced whole at every commit. For one process at a time. */
    static OffsetStore file(Path directory) {
        return new FileOffsetStore(directory);
    }
}
