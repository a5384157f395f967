package io.metaq.state.format;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Many numbers of variable length, preceded by an int32 that tells how many bytes they take. */
public final class NumberBlock {
    private static final int FIRST_BYTES = 64;
    private static final int GROW_BYTES = 1 << 16;

    private ByteBuffer bytes = ByteBuffer.allocate(FIRST_BYTES);

    public void put(long number) {
        if (bytes.remaining() < Varints.MAX_BYTES) {
            bytes = ByteBuffer.allocate(Math.addExact(2 * bytes.capacity(), GROW_BYTES))
                    .put(bytes.flip());
        }
        Varints.put(bytes, number);
    }

    public void write(DataOutputStream out) throws IOException {
        out.writeInt(bytes.position());
        out.write(bytes.array(), 0, bytes.position());
    }

    /** The numbers of a block, for {@link Varints#get}. */
    public static ByteBuffer read(DataInputStream in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return ByteBuffer.wrap(bytes);
    }
}
