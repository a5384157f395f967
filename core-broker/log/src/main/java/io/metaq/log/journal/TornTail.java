package io.metaq.log.journal;

import io.metaq.log.file.Attic;
import io.metaq.log.file.Storage;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Cuts the journal off at a position. Records that are valid but stand behind the cut are copied to the attic first.
 *
 * <p>Order of steps: copies durable, later segments moved from the newest to the oldest, then the bytes behind the cut
 * erased. A crash between two steps leaves a journal that is cut at the same place the next time.
 */
final class TornTail {

    private static final Logger LOG = System.getLogger(TornTail.class.getName());

    private final JournalConfig config;
    private final Storage storage;
    private final SegmentChain chain;

    TornTail(JournalConfig config, Storage storage, SegmentChain chain) {
        this.config = config;
        this.storage = storage;
        this.chain = chain;
    }

    void cut(Segment last, long position, LaterRecords later) throws IOException {
        Attic attic = new Attic(storage, config.attic());
        long lastEnd = later.endIn(last, position);
        if (later.first() >= 0) {
            LOG.log(
                    Level.WARNING,
                    "{0}: torn tail at byte {1} (journal position {2}); later records, none of which was promised to be"
                            + " durable, are kept in {3}",
                    last,
                    last.filePosition(position),
                    position,
                    config.attic());
        }
        if (lastEnd > position) {
            attic.copy(last.path(), last.filePosition(position), last.filePosition(lastEnd));
        }
        List<Segment> tail = new ArrayList<>(chain.removeAfter(last));
        Collections.reverse(tail);
        for (Segment segment : tail) {
            dispose(segment, later, attic);
        }
        long limit = Math.min(last.limit(), Math.max(lastEnd, position + RecordFormat.HEADER_BYTES));
        if (limit > position) {
            last.erase(position, limit);
            last.file().sync();
        }
    }

    private void dispose(Segment segment, LaterRecords later, Attic attic) throws IOException {
        boolean empty = later.endIn(segment, -1) < 0 && segment.hasHeader();
        segment.close();
        if (empty) {
            storage.delete(segment.path()); // begun and never written to
        } else {
            Path kept = attic.move(segment.path());
            LOG.log(Level.WARNING, "{0} moved to {1}", segment, kept);
        }
        storage.syncDirectory(config.directory());
    }
}
