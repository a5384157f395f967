package io.metaq.log.journal;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A record that wants to enter the journal, and the one who waits for it. A proposal is offered once.
 *
 * <p>Exactly one of {@link #committed()} and {@link #failed(Throwable)} is called, always by the journal's writer thread
 * (or by the thread that offers or closes when the journal has ended meanwhile). Neither may block or throw.
 */
public abstract class Proposal {

    /** The next older proposal in the journal's queue. */
    @Nullable
    Proposal next;

    private long position = -1;

    /** What kind of record this is, 1 to 127. Type 0 belongs to the journal itself. */
    public abstract byte type();

    public abstract Durability durability();

    /** Length of the body in bytes, constant once offered. */
    public abstract int bodyLength();

    /**
     * Puts the buffers that make up the body into {@code into} from index {@code at} on; their remaining bytes are the
     * body. Called once by the writer thread, which consumes positions and limits of the buffers.
     *
     * @return how many buffers were put, at most {@link #MAX_PARTS}
     */
    public abstract int body(ByteBuffer[] into, int at);

    /**
     * Whether the record may use the room kept back for a full disk. True for what helps to free space or ends what has
     * begun (acknowledgements, administration), false for messages.
     */
    public boolean essential() {
        return false;
    }

    /** The record is as durable as it asked to be, applied, and its batch readable. */
    public abstract void committed();

    /**
     * The record did not enter the journal, or the journal failed before that was certain.
     *
     * @param cause {@link io.metaq.log.file.StorageFullException}: not stored, may be tried again later;
     *     {@link JournalClosedException}: the broker is stopping, whether the record was stored is unknown
     */
    public abstract void failed(Throwable cause);

    /** Most buffers that a body may consist of. */
    public static final int MAX_PARTS = 16;

    /** Where the record stands in the journal; -1 until it was written. */
    public final long position() {
        return position;
    }

    final void position(long position) {
        this.position = position;
    }
}
