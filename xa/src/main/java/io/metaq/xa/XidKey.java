package io.metaq.xa;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import javax.transaction.xa.XAException;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;

/**
 * A branch's Xid and the text that the broker knows it by: {@code XID:<format>:<hex global>:<hex branch>:metaq}, as 1.4 has it. Any
 * format and up to 64 bytes for each part, as the coordinators there are use them.
 */
public final class XidKey implements Xid {

    /** What tells our branches from those of others on the same broker. */
    public static final String QUALIFIER = "metaq";

    private static final HexFormat HEX = HexFormat.of();
    private static final int PARTS = 5;

    private final int formatId;
    private final byte[] global;
    private final byte[] branch;

    private XidKey(int formatId, byte[] global, byte[] branch) {
        this.formatId = formatId;
        this.global = global;
        this.branch = branch;
    }

    /**
     * A copy of any coordinator's Xid.
     *
     * @throws XAException XAER_INVAL for null, and for parts that are too long
     */
    public static XidKey of(@Nullable Xid xid) throws XAException {
        if (xid == null) {
            throw XaFailures.of(XAException.XAER_INVAL, "the xid is null");
        }
        byte[] global = xid.getGlobalTransactionId();
        byte[] branch = xid.getBranchQualifier();
        if (global == null || branch == null || global.length > MAXGTRIDSIZE || branch.length > MAXBQUALSIZE) {
            throw XaFailures.of(XAException.XAER_INVAL, "the xid has parts that are null or longer than 64 bytes");
        }
        return new XidKey(xid.getFormatId(), global.clone(), branch.clone());
    }

    /** Reads {@link #text()}. @return empty for what is not such a text, or of another qualifier */
    public static Optional<XidKey> parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != PARTS || !parts[0].equals("XID") || !parts[4].equals(QUALIFIER)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new XidKey(Integer.parseInt(parts[1]), HEX.parseHex(parts[2]), HEX.parseHex(parts[3])));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** What the broker knows it by. */
    public String text() {
        return "XID:" + formatId + ":" + HEX.formatHex(global) + ":" + HEX.formatHex(branch) + ":" + QUALIFIER;
    }

    @Override
    public int getFormatId() {
        return formatId;
    }

    @Override
    public byte[] getGlobalTransactionId() {
        return global.clone();
    }

    @Override
    public byte[] getBranchQualifier() {
        return branch.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof XidKey that
                && formatId == that.formatId
                && Arrays.equals(global, that.global)
                && Arrays.equals(branch, that.branch);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * formatId + Arrays.hashCode(global)) + Arrays.hashCode(branch);
    }

    @Override
    public String toString() {
        return text();
    }
}
