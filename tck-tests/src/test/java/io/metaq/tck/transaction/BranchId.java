package io.metaq.tck.transaction;

import java.nio.ByteBuffer;
import javax.transaction.xa.Xid;

/** The identifier of a branch by its number. */
record BranchId(int number) implements Xid {
    private static final int FORMAT = 7;

    /** The number of an identifier that came back from a broker. */
    static int numberOf(Xid xid) {
        return ByteBuffer.wrap(xid.getGlobalTransactionId()).getInt();
    }

    @Override
    public int getFormatId() {
        return FORMAT;
    }

    @Override
    public byte[] getGlobalTransactionId() {
        return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
    }

    @Override
    public byte[] getBranchQualifier() {
        return new byte[] {1};
    }
}
