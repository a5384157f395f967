package io.metaq.broker.config;

import java.util.Map;

/** Keys of MetaQ 1.4 that are accepted so that old files start, and that change nothing here. The value says why. */
final class LegacyKeys {
    private static final String THREADS = "the broker sizes its own threads; ioThreads is the key that remains";
    private static final String STATISTICS = "realtime statistics are always kept";
    private static final String TRANSACTIONS = "transactions are part of the journal, and their number has no limit";

    static final Map<String, String> SYSTEM = Map.ofEntries(
            Map.entry("getProcessThreadCount", THREADS),
            Map.entry("putProcessThreadCount", THREADS),
            Map.entry("quartzThreadCount", THREADS),
            Map.entry("stat", STATISTICS),
            Map.entry("dashboardHttpPort", "there is no dashboard yet"),
            Map.entry("appClassPath", "filters in the server are not supported; filter in the client"),
            Map.entry("maxCheckpoints", "the last two checkpoints are always kept"),
            Map.entry("maxTxTimeoutTimerCapacity", TRANSACTIONS),
            Map.entry("flushTxLogAtCommit", TRANSACTIONS),
            Map.entry("loadMessageStoresInParallel", "partitions are opened when they are first used"),
            // internal names that 1.4 let pass and never used
            Map.entry("topics", "topics are declared in sections of their own: [topic=NAME]"),
            Map.entry("path", "the path of the file is given on the command line"));

    static final Map<String, String> TOPIC =
            Map.of("stat", STATISTICS, "dataPath", "all partitions are kept under [system] dataPath");

    static final Map<String, String> ZOOKEEPER =
            Map.of("zk.zkSyncTimeMs", "the broker waits for what ZooKeeper tells, not for a time");

    /** {@code group.NAME=CLASS} of 1.4: a class that filtered in the server for that group. */
    static final String FILTER_PREFIX = "group.";

    static final String FILTER_REASON = "filters in the server are not supported; filter in the client";

    private LegacyKeys() {}
}
