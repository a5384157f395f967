package io.metaq.log.tool;

import io.metaq.log.file.Storage;
import io.metaq.log.journal.JournalRecord;
import io.metaq.log.journal.JournalScan;
import io.metaq.log.partition.MessageScan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;

/** Shows the content of files as lines of text. */
public final class LogDump {

    private static final int SHOWN_BYTES = 32;

    private LogDump() {}

    /** A line per record of a journal's directory; returns what is damaged. */
    public static List<Finding> journal(Path directory, Storage storage, Consumer<String> lines) throws IOException {
        JournalScan scan = JournalScan.read(directory, storage, record -> lines.accept(line(record)));
        return LogVerify.journalFindings(scan);
    }

    /** A line per message of a segment file of a partition log; returns what is damaged. */
    public static List<Finding> segment(Path file, Storage storage, Consumer<String> lines) throws IOException {
        return MessageScan.check(
                        storage,
                        file,
                        storage.size(file),
                        (position, id, flag, body) -> lines.accept(
                                "position=" + position + " id=" + id + " flag=" + flag + " " + shown(body)))
                .stream()
                .map(range -> new Finding(file, range.from(), range.length(), "no good messages"))
                .toList();
    }

    private static String line(JournalRecord record) {
        return "position=" + record.position() + " epoch=" + record.epoch() + " type=" + kind(record) + " synced="
                + record.syncedTo() + " file=" + record.file().getFileName() + "@" + record.filePosition() + " "
                + shown(record.body());
    }

    private static String kind(JournalRecord record) {
        if (record.type() != 0) {
            return String.valueOf(record.type());
        }
        return record.flags() == 1 ? "mark" : "filler";
    }

    private static String shown(ByteBuffer body) {
        byte[] first = new byte[Math.min(SHOWN_BYTES, body.remaining())];
        body.get(body.position(), first);
        String more = body.remaining() > SHOWN_BYTES ? "..." : "";
        return "length=" + body.remaining() + " body=" + HexFormat.of().formatHex(first) + more;
    }
}
