package io.metaq.state.subscription;

import io.metaq.log.partition.MessageLog;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a subscription begins, or is moved to.
 *
 * <p>{@link #FIRST} is for subscriptions that are not journalled, and for topics that are new: where the first message of
 * another is depends on which files are left, and so is told by position ({@link #firstOf}).
 *
 * @param positions for {@link Where#AT}; a partition that is not named stays where it is
 */
public record Start(Where where, List<Position> positions) {
    public static final Start FIRST = new Start(Where.FIRST, List.of());
    public static final Start LAST = new Start(Where.LAST, List.of());

    public Start {
        positions = List.copyOf(positions);
    }

    /** The order is the format's. */
    public enum Where {
        /** The oldest message that is left. */
        FIRST,
        /** Behind the newest message. */
        LAST,
        AT
    }

    /**
     * A place in a partition.
     *
     * @param offset where a message begins, or the end
     * @param messagesBefore messages that were ever appended before it ({@link
     *     MessageLog#messagesBefore}): whoever proposes the change counts them, because what they
     *     are must not depend on which files are left at a replay
     */
    public record Position(int partition, long offset, long messagesBefore) {}

    /** Where the first message of each partition is now. May read files. */
    public static Start firstOf(MessageLog[] logs) throws IOException {
        List<Position> positions = new ArrayList<>();
        for (int i = 0; i < logs.length; i++) {
            long offset = logs[i].startOffset();
            positions.add(new Position(i, offset, logs[i].messagesBefore(offset)));
        }
        return at(positions);
    }

    public static Start at(List<Position> positions) {
        return new Start(Where.AT, positions);
    }

    public void write(DataOutputStream out) throws IOException {
        out.writeByte(where.ordinal());
        out.writeInt(positions.size());
        for (Position position : positions) {
            out.writeInt(position.partition());
            out.writeLong(position.offset());
            out.writeLong(position.messagesBefore());
        }
    }

    /** Reads what {@link #write} wrote. */
    public static Start read(DataInputStream in) throws IOException {
        Where where = Where.values()[in.readByte()];
        List<Position> positions = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            positions.add(new Position(in.readInt(), in.readLong(), in.readLong()));
        }
        return new Start(where, positions);
    }
}
