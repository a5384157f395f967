package io.metaq.log.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Goes over the records of one segment. It stands either on a valid record or, after {@link #advance()} returned false,
 * at the position where no valid record begins.
 */
final class SegmentCursor {

    private static final int WINDOW_BYTES = 1 << 20;

    private final Segment segment;
    private final int salt;
    private final CRC32C crc = new CRC32C();

    /** The part of the file that begins at journal position {@link #windowStart}. */
    private ByteBuffer window;

    private ByteBuffer view;
    private long windowStart;
    private int windowBytes;

    private long position;
    private long end;

    SegmentCursor(Segment segment, int salt, long from) {
        this.segment = segment;
        this.salt = salt;
        this.window = ByteBuffer.allocateDirect(Math.min(WINDOW_BYTES, segment.segmentBytes()));
        this.view = window.duplicate();
        this.windowStart = from;
        this.position = from;
        this.end = from;
    }

    Segment segment() {
        return segment;
    }

    /** Moves to the record that begins where the last one ended. */
    boolean advance() throws IOException {
        position = end;
        return load();
    }

    /** Moves to the first valid record that begins at {@code from} or later, wherever it begins. */
    boolean seek(long from) throws IOException {
        for (long at = from; at + RecordFormat.HEADER_BYTES <= segment.limit(); at++) {
            if (!holds(at, RecordFormat.HEADER_BYTES)) {
                position = end = at;
                return false;
            }
            int offset = (int) (at - windowStart);
            if (window.getLong(offset + RecordFormat.POSITION) == at) {
                position = at;
                if (load()) {
                    return true;
                }
            }
        }
        position = end = segment.limit();
        return false;
    }

    private boolean load() throws IOException {
        if (!holds(position, RecordFormat.HEADER_BYTES)) {
            return false;
        }
        int at = (int) (position - windowStart);
        int length = window.getInt(at + RecordFormat.LENGTH);
        if (length < 0
                || position + RecordFormat.HEADER_BYTES + length > segment.limit()
                || window.getLong(at + RecordFormat.POSITION) != position
                || window.getLong(at + RecordFormat.SYNCED_TO) > position
                || !holds(position, RecordFormat.HEADER_BYTES + length)) {
            return false;
        }
        at = (int) (position - windowStart);
        if (RecordFormat.checksum(crc, view, at, length, salt) != window.getInt(at + RecordFormat.CHECKSUM)) {
            return false;
        }
        end = position + RecordFormat.HEADER_BYTES + length;
        return true;
    }

    /** Makes the window cover these bytes; false when the file has not that many. */
    private boolean holds(long from, int bytes) throws IOException {
        if (from >= windowStart && from + bytes <= windowStart + windowBytes) {
            return true;
        }
        if (from + bytes > segment.limit()) {
            return false;
        }
        if (bytes > window.capacity()) {
            window = ByteBuffer.allocateDirect(bytes);
            view = window.duplicate();
        }
        window.clear().limit((int) Math.min(window.capacity(), segment.limit() - from));
        long filePosition = segment.filePosition(from);
        while (window.hasRemaining()) {
            int read = segment.file().read(window, filePosition + window.position());
            if (read < 0) {
                break;
            }
        }
        windowStart = from;
        windowBytes = window.position();
        window.clear();
        return windowBytes >= bytes;
    }

    /** True when the next record is in memory already: what came before may still be referred to. */
    boolean nextIsLoaded() {
        long loaded = windowStart + windowBytes - end;
        if (loaded < RecordFormat.HEADER_BYTES) {
            return false;
        }
        int length = window.getInt((int) (end - windowStart) + RecordFormat.LENGTH);
        return length >= 0 && RecordFormat.HEADER_BYTES + (long) length <= loaded;
    }

    /** Where the current record begins, or where none does. */
    long position() {
        return position;
    }

    /** Where the next record begins. */
    long end() {
        return end;
    }

    int bodyLength() {
        return (int) (end - position) - RecordFormat.HEADER_BYTES;
    }

    long syncedTo() {
        return window.getLong(at() + RecordFormat.SYNCED_TO);
    }

    int epoch() {
        return window.getInt(at() + RecordFormat.EPOCH);
    }

    byte type() {
        return window.get(at() + RecordFormat.TYPE);
    }

    byte flags() {
        return window.get(at() + RecordFormat.FLAGS);
    }

    /** The body of the current record; one buffer object, reused. */
    ByteBuffer body() {
        int from = at() + RecordFormat.HEADER_BYTES;
        return view.limit(from + bodyLength()).position(from);
    }

    private int at() {
        return (int) (position - windowStart);
    }
}
