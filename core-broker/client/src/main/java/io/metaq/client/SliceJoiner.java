package io.metaq.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes whole messages out of a partition that is read as a stream of bytes: slices may begin and end within messages. What lies whole
 * in a slice is passed on as a part of it without a copy; only a message that two slices share is copied together.
 */
final class SliceJoiner {

    private final int maxMessageBytes;
    private long offset;
    private @Nullable ByteBuf begun;

    SliceJoiner(int maxMessageBytes) {
        this.maxMessageBytes = maxMessageBytes;
    }

    /** Goes on at the beginning of a message; what was begun is dropped. */
    void restart(long messageOffset) {
        ByteBuf dropped = begun;
        begun = null;
        if (dropped != null) {
            dropped.release();
        }
        offset = messageOffset;
    }

    /** Where the first message lies that was not passed on. */
    long offset() {
        return offset;
    }

    /** Whether a part of that message is here already. */
    boolean isWithinMessage() {
        return begun != null;
    }

    /**
     * Takes the next bytes of the stream.
     *
     * @param slice taken over
     * @param out takes whole messages over
     * @return false at a header that cannot be one, which is then at {@link #offset()}
     */
    boolean feed(ByteBuf slice, Consumer<Fetched.Data> out) {
        if (!finishBegun(slice, out)) {
            slice.release();
            return false;
        }
        WholeMessages whole = WholeMessages.in(slice, maxMessageBytes - StorageFormat.HEADER);
        ByteBuf messages = slice.readSlice(whole.bytes());
        if (!whole.damaged() && slice.isReadable()) {
            int size = Math.max(StorageFormat.HEADER, whole.neededBytes());
            begun = ByteBufAllocator.DEFAULT.directBuffer(size).writeBytes(slice);
        }
        long at = offset;
        offset += whole.bytes();
        if (whole.count() > 0) {
            out.accept(new Fetched.Data(messages, at, whole.count()));
        } else {
            slice.release();
        }
        return !whole.damaged();
    }

    /** @return false if what was begun turns out to be no message */
    private boolean finishBegun(ByteBuf slice, Consumer<Fetched.Data> out) {
        ByteBuf part = begun;
        if (part == null) {
            return true;
        }
        move(slice, part, StorageFormat.HEADER - part.readableBytes());
        if (part.readableBytes() < StorageFormat.HEADER) {
            return true;
        }
        int length = part.getInt(0);
        if (length < 0 || length > maxMessageBytes - StorageFormat.HEADER) {
            return false;
        }
        int size = StorageFormat.HEADER + length;
        move(slice, part, size - part.readableBytes());
        if (part.readableBytes() == size) {
            begun = null;
            long at = offset;
            offset += size;
            out.accept(new Fetched.Data(part, at, 1));
        }
        return true;
    }

    private static void move(ByteBuf from, ByteBuf to, int wanted) {
        int count = Math.min(wanted, from.readableBytes());
        if (count > 0) {
            to.writeBytes(from, count);
        }
    }
}
