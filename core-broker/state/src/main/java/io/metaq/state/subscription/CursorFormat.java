package io.metaq.state.subscription;

import io.metaq.state.format.NumberBlock;
import io.metaq.state.format.Varints;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * A cursor in a checkpoint (docs/log-format.md). Ranges are written as distances: about four bytes each, so that millions of
 * them are tens of megabytes.
 */
final class CursorFormat {
    private CursorFormat() {}

    static void write(DataOutputStream out, Cursor cursor) throws IOException {
        synchronized (cursor) {
            out.writeLong(cursor.floor());
            out.writeLong(cursor.goneMessages());
            out.writeLong(cursor.deliveredMark());
            writeRanges(out, cursor);
            out.writeInt(cursor.returnedCount());
            NumberBlock returned = new NumberBlock();
            cursor.forEachReturned((offset, count, notBeforeMs) -> {
                returned.put(offset);
                returned.put(count);
                returned.put(notBeforeMs);
            });
            returned.write(out);
        }
    }

    private static void writeRanges(DataOutputStream out, Cursor cursor) throws IOException {
        out.writeLong(cursor.rangeCount());
        NumberBlock ranges = new NumberBlock();
        long[] end = {cursor.floor()};
        cursor.forEachAcknowledged((from, to) -> {
            ranges.put(from - end[0]);
            ranges.put(to - from);
            end[0] = to;
        });
        ranges.write(out);
    }

    static void read(DataInputStream in, Cursor cursor) throws IOException {
        long floor = in.readLong();
        cursor.reset(floor, in.readLong());
        cursor.mark(in.readLong());
        try {
            long ranges = in.readLong();
            ByteBuffer bytes = NumberBlock.read(in);
            long at = floor;
            for (; ranges > 0; ranges--) {
                long from = at + Varints.get(bytes);
                at = from + Varints.get(bytes);
                cursor.restoreAcknowledged(from, at);
            }
            int returned = in.readInt();
            bytes = NumberBlock.read(in);
            for (; returned > 0; returned--) {
                cursor.restoreReturned(Varints.get(bytes), (int) Varints.get(bytes), Varints.get(bytes));
            }
        } catch (BufferUnderflowException e) {
            throw new IOException("a cursor ends early", e);
        }
    }
}
