package io.metaq.log.tool;

import io.metaq.log.file.Storage;
import io.metaq.log.journal.JournalScan;
import io.metaq.log.tool.PartitionCheck.Bad;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes damaged ranges of a broker that is down out of service, so that it starts with the rest. They are copied to the
 * attic first; nothing is deleted.
 */
public final class LogSalvage {

    private LogSalvage() {}

    /**
     * What was done.
     *
     * @param lost what a start will do without
     * @param copies where the damaged bytes are now
     */
    public record Report(List<Finding> lost, List<Path> copies) {}

    /** @param dataPath the directory with {@code journal/} and {@code partitions/}; the caller holds its lock */
    public static Report salvage(Path dataPath, Storage storage) throws IOException {
        DataDirectory data = new DataDirectory(dataPath, storage);
        List<Finding> lost = new ArrayList<>();
        List<Path> copies = new ArrayList<>();
        if (storage.isDirectory(data.journal())) {
            JournalScan scan = JournalScan.read(data.journal(), storage, record -> {});
            lost.addAll(LogVerify.journalFindings(scan));
            copies.addAll(scan.repair(data.attic()));
        }
        for (Path directory : data.partitions()) {
            PartitionCheck check = new PartitionCheck(storage, directory);
            for (Bad bad : check.check()) {
                if (!bad.tail() && !check.known().contains(bad.range())) {
                    lost.add(bad.finding());
                    copies.add(check.setAside(bad.range(), data.attic()));
                }
            }
        }
        return new Report(lost, copies);
    }
}
