package io.metaq.broker.store;

import io.metaq.log.journal.JournalConfig;
import io.metaq.state.BrokerState;
import java.nio.file.Path;

/**
 * @param dataPath where everything is kept
 * @param brokerId 0 to 1023, part of every message id
 * @param maxOpenFiles partition log files open at a time
 * @param checkpointIntervalMs a checkpoint is taken after this time if anything changed
 * @param checkpointBytes and after this many bytes of journal
 * @param maxTemporaryBytes bytes that temporary topics may hold in memory before messages to them are refused
 */
public record StoreConfig(
        Path dataPath,
        int brokerId,
        JournalConfig journal,
        BrokerState.SegmentBytes segmentBytes,
        int maxOpenFiles,
        long checkpointIntervalMs,
        long checkpointBytes,
        long maxTemporaryBytes) {}
