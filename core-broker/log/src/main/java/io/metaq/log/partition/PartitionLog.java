package io.metaq.log.partition;

import io.metaq.log.file.Attic;
import io.metaq.log.file.Storage;
import io.metaq.log.file.StorageFile;
import io.metaq.log.file.StorageFullException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one partition, in segment files that hold exactly the bytes of the wire. An offset is a byte position
 * in the partition.
 *
 * <p>One thread at a time appends, flushes, trims, restores and sets aside; everything else may be called by any thread
 * meanwhile. A partition without messages has no files and no directory.
 */
public final class PartitionLog implements MessageLog {

    private final Path directory;
    private final OpenFiles files;
    private final Storage storage;
    private final UnsyncedSegments unsynced;
    private final MessageCounts counts;
    private PartitionLogConfig config;

    private volatile SegmentList segments;
    private volatile DamagedRanges damaged;
    private volatile long startOffset;
    private volatile long endOffset;
    /** Keeps the end and its count together. */
    private final Object endLock = new Object();

    private final List<StagedRun> staged = new ArrayList<>(1);
    private long stagedEnd;
    /** Bytes of places that were taken and not filled. */
    private long missing;

    private volatile long lastAppendMs;
    private boolean activeIndexChecked;

    PartitionLog(
            Path directory,
            PartitionLogConfig config,
            OpenFiles files,
            SegmentList segments,
            DamagedRanges damaged,
            long endOffset) {
        this.directory = directory;
        this.config = config;
        this.files = files;
        this.storage = files.storage();
        this.unsynced = new UnsyncedSegments(files, directory);
        this.counts = new MessageCounts(this);
        this.segments = segments;
        this.damaged = damaged;
        this.startOffset = segments.size() == 0 ? endOffset : segments.get(0).base();
        this.endOffset = endOffset;
        this.stagedEnd = endOffset;
        if (segments.size() == 0) {
            counts.restore(0);
        }
    }

    /** Lists the directory; opens no segment, creates nothing. */
    public static PartitionLog open(Path directory, PartitionLogConfig config, OpenFiles files) throws IOException {
        return PartitionRestore.open(directory, config, files);
    }

    /** Takes over a changed configuration; holds from the next append on. */
    public void configure(PartitionLogConfig newConfig) {
        config = newConfig;
    }

    public Path directory() {
        return directory;
    }

    /**
     * Goes back to what a checkpoint says. What was appended after it is cut off, for the journal brings it again.
     * Segments that were trimmed after the checkpoint may be missing; any other bytes that are missing become a damaged
     * range.
     */
    public void restore(PartitionSnapshot snapshot) throws IOException {
        PartitionRestore.Result restored = new PartitionRestore(directory, files).restore(segments, damaged, snapshot);
        staged.clear();
        missing = 0;
        segments = restored.segments();
        damaged = restored.damaged();
        startOffset = restored.startOffset();
        endOffset = snapshot.endOffset();
        stagedEnd = endOffset;
        lastAppendMs = snapshot.lastAppendMs();
        counts.restore(snapshot.appendedMessages());
        activeIndexChecked = false;
    }

    /**
     * What a checkpoint has to remember; {@link #sync()} after it makes that durable. Called by the writer.
     *
     * @throws StorageFullException while {@link #hasUnwritten()}: a checkpoint would leave those messages out
     */
    public PartitionSnapshot snapshot() throws IOException {
        if (hasUnwritten()) {
            throw new StorageFullException(directory + ": messages wait for room on the disk");
        }
        return new PartitionSnapshot(startOffset, endOffset, messageCount(), counts.appended(), lastAppendMs);
    }

    /** {@inheritDoc} Does no I/O. A replay must give the same times, and so the same index. */
    @Override
    public long append(ByteBuffer[] parts, int n, int messages, long timestampMs) throws IOException {
        long length = 0;
        for (int i = 0; i < n; i++) {
            length += parts[i].remaining();
        }
        StagedRun run = runFor(length, messages, timestampMs);
        for (int i = 0; i < n; i++) {
            run.add(parts[i]);
        }
        return staged(length);
    }

    /** As {@link #append(ByteBuffer[], int, int, long)} for messages in one piece. */
    public long append(ByteBuffer bytes, int messages, long timestampMs) throws IOException {
        long length = bytes.remaining();
        runFor(length, messages, timestampMs).add(bytes);
        return staged(length);
    }

    /**
     * Takes a place behind all there is for messages whose bytes are brought by {@link #fill}. Others may be appended behind it
     * meanwhile; nothing from there on is readable before the place is filled.
     *
     * @return its offset
     */
    public long reserve(long length, int messages, long timestampMs) throws IOException {
        segmentFor(length, messages, timestampMs);
        missing += length;
        return staged(length);
    }

    /** Brings bytes for a place that was taken, which the next write writes. */
    public void fill(long offset, ByteBuffer bytes) {
        missing -= bytes.remaining();
        run(segments.get(segments.holding(offset)), offset).add(bytes);
    }

    /** Bytes of a place that was taken are lost: readers will go on behind them. */
    public void lose(long offset, long length) throws IOException {
        missing -= length;
        storage.createDirectories(directory);
        DamagedRanges with = damaged.with(new DamagedRange(offset, offset + length));
        with.write(storage, directory);
        damaged = with;
    }

    private long staged(long length) {
        long offset = stagedEnd;
        stagedEnd += length;
        return offset;
    }

    private StagedRun runFor(long length, int messages, long timestampMs) throws IOException {
        return run(segmentFor(length, messages, timestampMs), stagedEnd);
    }

    private PartitionSegment segmentFor(long length, int messages, long timestampMs) throws IOException {
        long ordinal = counts.staged();
        PartitionSegment active = segments.last();
        if (!activeIndexChecked) {
            activeIndexChecked = true;
            if (active != null) {
                counts.completeIndex(segments.size() - 1, segments);
            }
        }
        if (active == null
                || (stagedEnd > active.base() && stagedEnd + length - active.base() > config.maxSegmentBytes())) {
            active = PartitionSegment.begin(storage, directory, stagedEnd);
            segments = segments.with(active);
        }
        lastAppendMs = Math.max(lastAppendMs, timestampMs);
        active.index().appended(lastAppendMs, stagedEnd, ordinal);
        counts.stage(messages);
        return active;
    }

    private StagedRun run(PartitionSegment segment, long offset) {
        StagedRun run = staged.isEmpty() ? null : staged.get(staged.size() - 1);
        if (run == null || run.segment() != segment || run.end() != offset) {
            run = new StagedRun(segment, offset);
            staged.add(run);
        }
        return run;
    }

    /**
     * Writes what is staged and makes it readable.
     *
     * @throws StorageFullException as {@link #write()}
     */
    @Override
    public void flush() throws IOException {
        write();
        publish();
    }

    /**
     * Writes what is staged, with one gathering write unless a segment ended.
     *
     * @throws StorageFullException when there is no room: what is staged is kept (copied), not readable yet, and tried
     *     again by the next write
     */
    public void write() throws IOException {
        try {
            for (StagedRun run : staged) {
                write(run);
            }
        } catch (StorageFullException e) {
            staged.forEach(StagedRun::keep);
            throw e;
        }
        staged.clear();
    }

    /** Makes readable what was written; apart from {@link #write()} so that several logs can do it together. */
    public void publish() {
        if (!staged.isEmpty() || missing > 0) {
            throw new IllegalStateException(directory + ": what is to be readable was not written");
        }
        if (hasUnwritten()) {
            synchronized (endLock) {
                counts.publish();
                endOffset = stagedEnd;
            }
        }
    }

    /** True while something that was appended is not readable: a write failed for want of room, or a place is not filled. */
    public boolean hasUnwritten() {
        return stagedEnd > endOffset;
    }

    private void write(StagedRun run) throws IOException {
        PartitionSegment segment = run.segment();
        unsynced.add(segment);
        StorageFile file = files.acquireForWriting(segment.file());
        if (file == null) {
            throw new IllegalStateException(segment.file().path + " was taken out while it was being written");
        }
        try {
            file.write(run.buffers(), run.count(), run.offset() - segment.base());
            segment.index().flushed();
        } finally {
            files.release(segment.file());
        }
    }

    @Override
    public long startOffset() {
        return startOffset;
    }

    @Override
    public long endOffset() {
        return endOffset;
    }

    @Override
    public long stagedEndOffset() {
        return stagedEnd;
    }

    /** Readable messages; those inside damaged ranges are counted. */
    @Override
    public long messageCount() throws IOException {
        return counts.readable();
    }

    @Override
    public long appendedMessages() throws IOException {
        return counts.appended();
    }

    @Override
    public End end() throws IOException {
        synchronized (endLock) {
            return new End(endOffset, counts.appended());
        }
    }

    @Override
    public long lastAppendMs() {
        return lastAppendMs;
    }

    @Override
    public long stagedMessages() throws IOException {
        return counts.staged();
    }

    @Override
    public long messagesBefore(long offset) throws IOException {
        if (offset < startOffset || offset > endOffset) {
            throw new IllegalArgumentException(
                    "offset " + offset + " is not between " + startOffset + " and " + endOffset);
        }
        return counts.before(offset);
    }

    @Override
    public @Nullable LogSlice slice(long offset, int maxBytes) throws IOException {
        SegmentList list = segments;
        long end = endOffset;
        int index = list.holding(offset);
        if (offset < startOffset || offset >= end || index < 0) {
            return null;
        }
        long limit = Math.min(list.endOf(index, end), offset + maxBytes);
        DamagedRange damage = damaged.atOrAfter(offset);
        if (damage != null && damage.from() <= offset) {
            return LogSlice.damaged(files, offset, damage.to());
        }
        if (damage != null) {
            limit = Math.min(limit, damage.from());
        }
        PartitionSegment segment = list.get(index);
        StorageFile file = files.acquire(segment.file());
        if (file == null) {
            return null; // trimmed since the list was read
        }
        return LogSlice.of(files, segment.file(), file, offset, offset - segment.base(), (int) (limit - offset));
    }

    @Override
    public long segmentStart(long offset) {
        SegmentList list = segments;
        if (offset >= endOffset) {
            return endOffset;
        }
        int index = list.holding(offset);
        return index < 0 ? startOffset : list.get(index).base();
    }

    /**
     * Offset of the first message appended at or after this time; the end when there is none. Where the index was lost it
     * is the offset of an earlier message, never that of a later one.
     */
    @Override
    public long offsetForTime(long epochMs) throws IOException {
        SegmentList list = segments;
        long end = endOffset;
        for (int i = 0; i < list.size() && list.get(i).base() < end; i++) {
            if (newestAppendMs(i, list) >= epochMs) {
                TimeIndex.Entry entry = list.get(i).index().atOrAfter(epochMs);
                return entry == null ? list.get(i).base() : Math.min(entry.offset(), end);
            }
        }
        return end;
    }

    private long newestAppendMs(int index, SegmentList list) throws IOException {
        counts.completeIndex(index, list);
        TimeIndex.Entry last = list.get(index).index().last();
        return last == null ? 0 : last.timeMs();
    }

    /**
     * Up to where retention would trim: a segment's start, or the end when even the newest message is too old.
     *
     * @param maxAgeMs a segment is kept while its newest message is not older; negative: for ever
     * @param maxBytes segments are kept while without the oldest one there would be less; negative: all
     * @return the start offset when there is nothing to trim
     */
    public long expiredBefore(long nowMs, long maxAgeMs, long maxBytes) throws IOException {
        SegmentList list = segments;
        long end = endOffset;
        long expired = startOffset;
        for (int i = 0; i < list.size() && list.get(i).base() < end; i++) {
            long segmentEnd = list.endOf(i, end);
            boolean tooOld = maxAgeMs >= 0 && newestAppendMs(i, list) < nowMs - maxAgeMs;
            boolean tooMuch = maxBytes >= 0 && i + 1 < list.size() && end - segmentEnd >= maxBytes;
            if (!tooOld && !tooMuch) {
                break;
            }
            expired = segmentEnd;
        }
        return expired;
    }

    /**
     * Takes out the segments that lie wholly before {@code offset}; with the end offset, all of them. Slices in use
     * stay readable until they are released.
     *
     * @return the new start offset
     */
    @Override
    public long trimBefore(long offset, Disposal disposal) throws IOException {
        SegmentList list = segments;
        long limit = missing > 0 ? Math.min(offset, endOffset) : offset; // bytes are still to come behind the end
        int trimmed = 0;
        while (trimmed < list.size()
                && list.endOf(trimmed, stagedEnd) <= limit
                && list.get(trimmed).base() < endOffset) {
            trimmed++;
        }
        if (trimmed == 0) {
            return startOffset;
        }
        long newStart = trimmed < list.size() ? list.get(trimmed).base() : endOffset;
        counts.trimTo(trimmed, list);
        startOffset = newStart;
        segments = list.slice(trimmed, list.size());
        damaged = damaged.within(newStart, Long.MAX_VALUE);
        SegmentDisposal disposer = new SegmentDisposal(storage);
        for (int i = 0; i < trimmed; i++) {
            PartitionSegment segment = list.get(i);
            unsynced.remove(segment);
            files.retire(segment.file(), () -> disposer.dispose(segment, disposal));
        }
        return newStart;
    }

    /** Ranges that were set aside or found missing. */
    public List<DamagedRange> damagedRanges() {
        return damaged.all();
    }

    /**
     * Reads all readable messages and checks them. Any thread; takes as long as reading the files does.
     *
     * @return ranges that are no good messages and were not set aside
     */
    public List<DamagedRange> verify() throws IOException {
        SegmentList list = segments;
        long end = endOffset;
        List<DamagedRange> found = new ArrayList<>();
        for (int i = 0; i < list.size() && list.get(i).base() < end; i++) {
            PartitionSegment segment = list.get(i);
            if (files.acquire(segment.file()) == null) {
                continue; // trimmed since the list was read
            }
            try {
                found.addAll(MessageScan.check(storage, segment, list.endOf(i, end)));
            } finally {
                files.release(segment.file());
            }
        }
        found.removeIf(damaged::covers);
        return found;
    }

    /**
     * Takes a damaged range out of service: its bytes are copied to the attic, and readers go on behind it, also after a
     * restart.
     *
     * @return the copy
     */
    public Path setAside(DamagedRange range, Path attic) throws IOException {
        SegmentList list = segments;
        PartitionSegment segment = list.get(Math.max(0, list.holding(range.from())));
        String partition = directory.getParent() == null
                ? String.valueOf(directory.getFileName())
                : directory.getParent().getFileName() + "-" + directory.getFileName();
        Path copy = new Attic(storage, attic.resolve(partition))
                .copy(segment.file().path, range.from() - segment.base(), range.to() - segment.base());
        DamagedRanges with = damaged.with(range);
        with.write(storage, directory);
        damaged = with;
        return copy;
    }

    /** Makes everything flushed so far durable. Any thread. After a failure the log must not be used any more. */
    public void sync() throws IOException {
        unsynced.sync();
    }

    /** Writes the time index if there is room for it, and closes the files that no slice uses; syncs nothing. */
    @Override
    public void close() throws IOException {
        SegmentList list = segments;
        for (int i = 0; i < list.size(); i++) {
            list.get(i).index().writeIfRoom();
            files.closeIfIdle(list.get(i).file());
        }
    }

    SegmentList segments() {
        return segments;
    }

    Storage storage() {
        return Objects.requireNonNull(storage);
    }
}
