package io.metaq.protocol;

import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/** The name of a transaction as it stands in a header: {@code TX:…}, {@code XID:…} or {@code null}. */
public sealed interface TransactionKey {
    Null NULL = new Null();

    /** The token as it is written. */
    String token();

    /**
     * Reads a token.
     *
     * @throws IllegalArgumentException if it is none of the three forms
     */
    static TransactionKey parse(String token) {
        if (token.startsWith("TX:")) {
            return Local.parse(token);
        }
        if (token.startsWith("XID:")) {
            return Xa.parse(token);
        }
        if (token.equals("null")) {
            return NULL;
        }
        throw new IllegalArgumentException("not a transaction key: " + token);
    }

    /** A transaction of one session. The session id may itself hold colons (an IPv6 address): the last one separates. */
    record Local(String session, long sequence) implements TransactionKey {
        static Local parse(String token) {
            int colon = token.lastIndexOf(':');
            if (colon <= "TX:".length()) {
                throw new IllegalArgumentException("a local transaction is TX:session:number, not " + token);
            }
            return new Local(token.substring("TX:".length(), colon), Long.parseLong(token.substring(colon + 1)));
        }

        @Override
        public String token() {
            return "TX:" + session + ':' + sequence;
        }
    }

    /**
     * A branch of a global transaction.
     *
     * @param globalIdHex the global transaction id, up to 64 bytes as lower-case hex
     * @param branchHex the branch qualifier, up to 64 bytes as lower-case hex
     * @param uniqueQualifier the name under which a recovering client finds its branches
     */
    record Xa(int formatId, String globalIdHex, String branchHex, String uniqueQualifier) implements TransactionKey {
        private static final Pattern HEX = Pattern.compile("(?:[0-9a-f]{2}){0,64}");

        public Xa {
            if (!HEX.matcher(globalIdHex).matches() || !HEX.matcher(branchHex).matches()) {
                throw new IllegalArgumentException(
                        "not up to 64 bytes of lower-case hex: " + globalIdHex + ':' + branchHex);
            }
            if (uniqueQualifier.isEmpty()) {
                throw new IllegalArgumentException("a global transaction needs a unique qualifier");
            }
        }

        static Xa parse(String token) {
            String[] parts = token.split(":", 5);
            if (parts.length != 5) {
                throw new IllegalArgumentException(
                        "a global transaction is XID:format:global:branch:qualifier, not " + token);
            }
            return new Xa(
                    Integer.parseInt(parts[1]),
                    parts[2].toLowerCase(Locale.ROOT),
                    parts[3].toLowerCase(Locale.ROOT),
                    parts[4]);
        }

        public byte[] globalId() {
            return HexFormat.of().parseHex(globalIdHex);
        }

        public byte[] branch() {
            return HexFormat.of().parseHex(branchHex);
        }

        @Override
        public String token() {
            return "XID:" + formatId + ':' + globalIdHex + ':' + branchHex + ':' + uniqueQualifier;
        }
    }

    /** No transaction in particular: what a client that lists its branches sends. On a put it names no known transaction. */
    record Null() implements TransactionKey {
        @Override
        public String token() {
            return "null";
        }
    }
}
