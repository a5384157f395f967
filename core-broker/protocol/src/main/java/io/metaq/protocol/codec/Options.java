package io.metaq.protocol.codec;

import io.metaq.protocol.ProtocolException;
import io.metaq.protocol.Verb;

/** The {@code key=value} tokens behind the opaque. */
final class Options {
    private Options() {}

    static long number(Tokens t, int token, byte[] prefix, long max) {
        try {
            return t.numberFrom(token, t.start(token) + prefix.length, max);
        } catch (ProtocolException e) {
            throw new RejectedOptionException("'" + t.printable(token) + "': a number from 0 to " + max + " is needed");
        }
    }

    /** Any int64. */
    static long longNumber(Tokens t, int token, byte[] prefix) {
        try {
            return t.longFrom(token, t.start(token) + prefix.length);
        } catch (ProtocolException e) {
            throw new RejectedOptionException("'" + t.printable(token) + "': a 64-bit number is needed");
        }
    }

    static boolean truth(Tokens t, int token, byte[] prefix) {
        return switch (value(t, token, prefix)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new RejectedOptionException("'" + t.printable(token) + "': true or false is needed");
        };
    }

    static String value(Tokens t, int token, byte[] prefix) {
        return decoded(t.text(t.start(token) + prefix.length, t.end(token)));
    }

    static String decoded(String value) {
        try {
            return PercentCode.decode(value);
        } catch (IllegalArgumentException e) {
            throw new RejectedOptionException(String.valueOf(e.getMessage()));
        }
    }

    static RejectedOptionException unknown(Tokens t, int token, Verb verb) {
        return unknown(t, token, String.join(", ", verb.options()));
    }

    static RejectedOptionException unknown(Tokens t, int token, String known) {
        return new RejectedOptionException("unknown option '" + t.printable(token) + "': known are " + known);
    }
}
