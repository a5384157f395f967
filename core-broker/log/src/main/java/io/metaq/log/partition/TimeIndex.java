package io.metaq.log.partition;

import io.metaq.log.file.Storage;
import io.metaq.log.file.StorageFile;
import io.metaq.log.file.StorageFullException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * When the messages of one segment were appended: an entry for the first message of each millisecond, in the file
 * {@code <first offset>.time} beside the segment; docs/log-format.md has the bytes. Also how many messages the partition
 * ever had before, so that counting needs no reading of messages.
 *
 * <p>New entries wait in memory and are written some at a time; what a crash takes the journal's replay brings again.
 * All methods hold the index's own lock.
 */
final class TimeIndex {

    private static final Logger LOG = System.getLogger(TimeIndex.class.getName());

    static final int ENTRY_BYTES = 32;
    static final int MARK = 0x54494458; // "TIDX"

    private static final int WRITE_ENTRIES = 64;

    /**
     * @param timeMs append time, never lower than that of the entry before
     * @param offset partition offset of the first message of that time
     * @param ordinal number of messages appended to the partition before it
     */
    record Entry(long timeMs, long offset, long ordinal) {}

    private final Storage storage;
    private final Path path;

    /** Entries at or behind this offset are left over from before a restart. */
    private long validBelow = Long.MAX_VALUE;

    /** Null until needed. */
    private @Nullable Entry first;

    private @Nullable Entry last;

    /** Number of entries in the file, -1 while it was not looked at. */
    private long stored = -1;

    private final List<Entry> waiting = new ArrayList<>();
    private boolean unsynced;
    private boolean damaged;

    TimeIndex(Storage storage, Path path) {
        this.storage = storage;
        this.path = path;
    }

    /** An index for a segment that is just being begun. */
    static TimeIndex fresh(Storage storage, Path path) {
        TimeIndex index = new TimeIndex(storage, path);
        index.validBelow = 0;
        return index;
    }

    Path path() {
        return path;
    }

    /** The segment was cut at this offset. */
    synchronized void cut(long offset) {
        validBelow = offset;
        stored = -1;
        first = null;
        last = null;
        waiting.clear();
    }

    /** Called for every append, in order; makes an entry when the time has moved. Writes nothing. */
    synchronized void appended(long timeMs, long offset, long ordinal) throws IOException {
        load();
        if (last != null && timeMs <= last.timeMs()) {
            return;
        }
        add(new Entry(timeMs, offset, ordinal));
    }

    /** Called when the messages were written: their file, and with it the directory, is there. */
    synchronized void flushed() throws IOException {
        if (waiting.size() >= WRITE_ENTRIES) {
            write();
        }
    }

    private void add(Entry entry) {
        waiting.add(entry);
        last = entry;
        first = first == null ? entry : first;
    }

    /** Null when there is no entry that can be trusted. */
    synchronized @Nullable Entry first() throws IOException {
        load();
        return first;
    }

    /** The entry of the newest append; null when there is no entry that can be trusted. */
    synchronized @Nullable Entry last() throws IOException {
        load();
        return last;
    }

    /** The first entry of this time or a later one; null when all are older. */
    synchronized @Nullable Entry atOrAfter(long timeMs) throws IOException {
        load();
        for (Entry entry : readStored()) {
            if (entry.timeMs() >= timeMs) {
                return entry;
            }
        }
        for (Entry entry : waiting) {
            if (entry.timeMs() >= timeMs) {
                return entry;
            }
        }
        return null;
    }

    /** The last entry that is not behind this offset; null when there is none that can be trusted. */
    synchronized @Nullable Entry atOrBefore(long offset) throws IOException {
        load();
        Entry found = null;
        for (List<Entry> entries : List.of(readStored(), waiting)) {
            for (Entry entry : entries) {
                if (entry.offset() > offset) {
                    return found;
                }
                found = entry;
            }
        }
        return found;
    }

    /** True when entries are missing: there are none for this segment, or the file has some that fail their check. */
    synchronized boolean incomplete(long base) throws IOException {
        load();
        return damaged || first == null || first.offset() != base;
    }

    /** Takes the place of entries that are missing at the end. */
    synchronized void replaceLost(Entry entry) {
        damaged = false;
        add(entry);
    }

    /** Takes the place of all entries. */
    synchronized void rebuild(Entry entry) {
        damaged = false;
        stored = 0;
        first = null;
        waiting.clear();
        add(entry);
    }

    /** Writes the waiting entries and makes all of them durable. */
    synchronized void sync() throws IOException {
        write();
        if (unsynced) {
            try (StorageFile file = storage.open(path, StandardOpenOption.WRITE)) {
                file.sync();
            }
            unsynced = false;
        }
    }

    /** Writes the waiting entries. */
    synchronized void write() throws IOException {
        if (waiting.isEmpty()) {
            return;
        }
        load();
        ByteBuffer bytes = ByteBuffer.allocate(waiting.size() * ENTRY_BYTES);
        waiting.forEach(entry -> encode(entry, bytes));
        try (StorageFile file =
                storage.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long at = stored * ENTRY_BYTES;
            if (file.size() > at) {
                file.truncate(at);
            }
            file.write(bytes.flip(), at);
        }
        stored += waiting.size();
        waiting.clear();
        unsynced = true;
    }

    /** Writes the waiting entries if the disk has room: those that are missing are found again, at the price of their precision. */
    synchronized void writeIfRoom() throws IOException {
        try {
            write();
        } catch (StorageFullException e) {
            LOG.log(Level.DEBUG, "{0} is not complete: {1}", path, e.getMessage());
        }
    }

    /** Looks at the file once, up to the first entry that is damaged or left over. */
    private void load() throws IOException {
        if (stored >= 0) {
            return;
        }
        stored = 0;
        if (validBelow == 0) {
            return;
        }
        List<Entry> entries = readAll();
        stored = entries.size();
        if (!entries.isEmpty()) {
            first = entries.get(0);
            last = entries.get(entries.size() - 1);
        }
    }

    private List<Entry> readStored() throws IOException {
        if (stored == 0) {
            return List.of();
        }
        List<Entry> entries = readAll();
        return entries.subList(0, (int) Math.min(stored, entries.size()));
    }

    private List<Entry> readAll() throws IOException {
        List<Entry> entries = new ArrayList<>();
        ByteBuffer bytes = readFile();
        for (int at = 0; at < bytes.capacity(); at += ENTRY_BYTES) {
            Entry entry = decode(bytes, at);
            if (entry == null) {
                damaged |= stored <= entries.size();
                break;
            }
            if (stored <= entries.size() && entry.offset() >= validBelow) {
                break;
            }
            entries.add(entry);
        }
        return entries;
    }

    /** All whole entries; none when there is no file, which a reader meets when retention was faster. */
    private ByteBuffer readFile() throws IOException {
        if (!storage.exists(path)) {
            return ByteBuffer.allocate(0);
        }
        try (StorageFile file = storage.open(path, StandardOpenOption.READ)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) file.size() / ENTRY_BYTES * ENTRY_BYTES);
            file.readFully(bytes, 0);
            return bytes;
        } catch (NoSuchFileException e) {
            return ByteBuffer.allocate(0);
        }
    }

    static void encode(Entry entry, ByteBuffer out) {
        int at = out.position();
        out.putLong(entry.timeMs()).putLong(entry.offset()).putLong(entry.ordinal());
        out.putInt(checksum(out, at)).putInt(MARK);
    }

    static @Nullable Entry decode(ByteBuffer in, int at) {
        if (in.getInt(at + 24) != checksum(in, at) || in.getInt(at + 28) != MARK) {
            return null;
        }
        return new Entry(in.getLong(at), in.getLong(at + 8), in.getLong(at + 16));
    }

    private static int checksum(ByteBuffer bytes, int at) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().limit(at + 24).position(at));
        return (int) crc.getValue();
    }
}
