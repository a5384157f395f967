package io.metaq.protocol.codec;

import io.metaq.protocol.ProtocolException;
import io.metaq.protocol.Request;
import io.metaq.protocol.Status;

/** Who a connection is: {@code login USER OPQ password=P} and {@code client ID OPQ}. */
final class SessionParser {
    private static final byte[] PASSWORD = Ascii.bytes("password=");

    private SessionParser() {}

    static Request.Login login(Tokens t) {
        RequestParser.counted(t, 3, Integer.MAX_VALUE, "login USER OPQ password=P");
        int opaque = t.integer(2);
        String password = null;
        for (int i = 3; i < t.count(); i++) {
            if (!t.startsWith(i, PASSWORD)) {
                // Not shown: a password with a space that nobody encoded would end in a log.
                throw new RejectedOptionException("unknown option: login takes password alone");
            }
            password = Options.value(t, i, PASSWORD);
        }
        if (password == null) {
            throw new RejectedOptionException("login needs password=");
        }
        return new Request.Login(name(t, 1), password, opaque);
    }

    static Request.ClientId client(Tokens t) {
        RequestParser.counted(t, 3, 3, "client ID OPQ");
        int opaque = t.integer(2);
        return new Request.ClientId(name(t, 1), opaque);
    }

    /** A name that is percent-encoded, since it may hold anything. */
    static String name(Tokens t, int token) {
        if (t.isEmpty(token)) {
            throw new ProtocolException(Status.BAD_REQUEST, "two spaces where one separates");
        }
        return Options.decoded(t.text(token));
    }
}
