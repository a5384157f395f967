package io.metaq.client;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;

/**
 * By hash of the key. CRC-32 of the UTF-8 bytes rather than {@code String.hashCode}, so that clients in other languages can put the
 * same key into the same partition.
 */
final class KeySelector implements PartitionSelector {

    private final PartitionSelector withoutKey = new RoundRobinSelector();

    @Override
    public TopicPartition select(Message message, List<TopicPartition> partitions) {
        String key = message.key();
        if (key == null) {
            return withoutKey.select(message, partitions);
        }
        CRC32 crc = new CRC32();
        crc.update(key.getBytes(StandardCharsets.UTF_8));
        return partitions.get((int) (crc.getValue() % partitions.size()));
    }

    @Override
    public boolean isSticky() {
        return true;
    }
}
