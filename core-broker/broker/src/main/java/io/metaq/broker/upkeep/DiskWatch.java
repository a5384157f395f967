package io.metaq.broker.upkeep;

import io.metaq.broker.command.DiskGuard;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.log.file.Storage;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches the free space of the data disk: below one mark messages are refused, above another taken again. */
public final class DiskWatch implements DiskGuard {
    private static final Logger LOG = LoggerFactory.getLogger(DiskWatch.class);

    private final BrokerConfig config;
    private final Storage storage;
    private volatile boolean low;

    public DiskWatch(BrokerConfig config, Storage storage) {
        this.config = config;
        this.storage = storage;
    }

    @Override
    public boolean refuses() {
        return low;
    }

    /** Looks at the disk. To be called several times a second. */
    public void look() throws IOException {
        long total = storage.totalSpace(config.dataPath());
        long usable = storage.usableSpace(config.dataPath());
        if (!low && usable < config.diskLowMark(total)) {
            low = true;
            LOG.warn(
                    "messages are refused: {} has {} bytes free, fewer than {} (diskWatermarkBytes, diskWatermarkPercent)",
                    config.dataPath(),
                    usable,
                    config.diskLowMark(total));
        } else if (low && usable >= config.diskResumeMark(total)) {
            low = false;
            LOG.info("messages are taken again: {} has {} bytes free", config.dataPath(), usable);
        }
    }
}
