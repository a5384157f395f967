package io.metaq.log.tool;

import io.metaq.log.file.Storage;
import io.metaq.log.journal.JournalScan;
import io.metaq.log.tool.PartitionCheck.Bad;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the journal and all partition logs of a broker that is down, and says what is wrong. Changes nothing. */
public final class LogVerify {

    private LogVerify() {}

    /**
     * What was read and what is wrong.
     *
     * @param records good records in the journal
     * @param partitions partitions looked at
     * @param findings damage that a start would be refused for, or that readers would meet
     * @param notes what the next start repairs by itself
     */
    public record Report(long records, int partitions, List<Finding> findings, List<Finding> notes) {}

    /** @param dataPath the directory with {@code journal/} and {@code partitions/} */
    public static Report verify(Path dataPath, Storage storage) throws IOException {
        DataDirectory data = new DataDirectory(dataPath, storage);
        List<Finding> findings = new ArrayList<>();
        List<Finding> notes = new ArrayList<>();
        long[] records = new long[1];
        if (storage.isDirectory(data.journal())) {
            JournalScan scan = JournalScan.read(data.journal(), storage, record -> records[0]++);
            findings.addAll(journalFindings(scan));
        }
        List<Path> partitions = data.partitions();
        for (Path directory : partitions) {
            PartitionCheck check = new PartitionCheck(storage, directory);
            for (Bad bad : check.check()) {
                boolean known = check.known().stream()
                        .anyMatch(range -> range.from() <= bad.range().from()
                                && range.to() >= bad.range().to());
                (bad.tail() || known ? notes : findings).add(bad.finding());
            }
        }
        return new Report(records[0], partitions.size(), findings, notes);
    }

    static List<Finding> journalFindings(JournalScan scan) {
        List<Finding> findings = new ArrayList<>();
        scan.badHeaders().forEach(file -> findings.add(new Finding(file, 0, 64, "the segment's header is damaged")));
        scan.damages()
                .forEach(damage -> findings.add(new Finding(
                        damage.file(),
                        damage.filePosition(),
                        damage.to() - damage.from(),
                        "durable records cannot be read, journal positions " + damage.from() + " to " + damage.to())));
        return findings;
    }
}
