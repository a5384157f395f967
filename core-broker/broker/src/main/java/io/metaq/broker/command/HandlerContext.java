package io.metaq.broker.command;

import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.stats.BrokerCounters;
import io.metaq.broker.store.Store;
import java.time.Clock;

/** What the handlers of one broker share. */
record HandlerContext(
        BrokerConfig config,
        Store store,
        TopicCatalog topics,
        DiskGuard disk,
        BrokerCounters counters,
        ErrorTexts texts,
        Clock clock) {}
