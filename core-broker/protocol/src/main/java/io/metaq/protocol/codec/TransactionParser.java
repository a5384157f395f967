package io.metaq.protocol.codec;

import io.metaq.protocol.ProtocolException;
import io.metaq.protocol.Request;
import io.metaq.protocol.Request.Enlist.Then;
import io.metaq.protocol.Request.Transaction;
import io.metaq.protocol.Request.Transaction.Step;
import io.metaq.protocol.Status;
import io.metaq.protocol.TransactionKey;
import io.metaq.protocol.Verb;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** {@code transaction}, {@code transact} and {@code enlist}. */
final class TransactionParser {
    private static final String USAGE = "transaction KEY SESSION STEP [TIMEOUT] [UQ] OPQ [number=N]";
    private static final byte[] NUMBER = Ascii.bytes("number=");
    private static final byte[] THEN = Ascii.bytes("then=");
    private static final byte[] TIMEOUT = Ascii.bytes("timeout=");
    private static final byte[] BEGUN = Ascii.bytes("begun=");

    private TransactionParser() {}

    /** {@code transaction KEY SESSION STEP [TIMEOUT] [UQ] OPQ [number=N]}. */
    static Transaction parse(Tokens t) {
        RequestParser.counted(t, 5, 8, USAGE);
        TransactionKey key = key(t.text(1));
        Step step = step(t.text(3));
        int last = t.count() - 1;
        long number = Request.ABSENT;
        if (t.startsWith(last, NUMBER)) {
            number = Options.number(t, last, NUMBER, Long.MAX_VALUE);
            last--;
        }
        if (last < 4 || last > 6) {
            throw new ProtocolException(Status.BAD_REQUEST, "expected '" + USAGE + "', got " + t.count() + " tokens");
        }
        boolean timeoutFirst = last == 6 || last == 5 && isTimeout(t, key, step);
        int timeout = timeoutFirst ? t.integer(4) : 0;
        String qualifier = last == 6 ? t.text(5) : last == 5 && !timeoutFirst ? t.text(4) : null;
        return new Transaction(key, t.text(2), step, timeout, qualifier, t.integer(last), number);
    }

    static Request.Transact transact(Tokens t, ByteBuf body) {
        long producer = Request.NO_PRODUCER;
        long sequence = Request.ABSENT;
        for (int i = 3; i < t.count(); i++) {
            if (t.startsWith(i, RequestParser.PRODUCER)) {
                producer = Options.longNumber(t, i, RequestParser.PRODUCER);
            } else if (t.startsWith(i, RequestParser.SEQUENCE)) {
                sequence = Options.number(t, i, RequestParser.SEQUENCE, Long.MAX_VALUE);
            } else {
                throw Options.unknown(t, i, Verb.TRANSACT);
            }
        }
        RequestParser.checkPair(producer, sequence);
        return new Request.Transact(body, t.integer(2), producer, sequence);
    }

    static Request.Enlist enlist(Tokens t, ByteBuf body) {
        TransactionKey key = key(t.text(1));
        Then then = Then.NOTHING;
        int timeout = 0;
        boolean begun = false;
        long producer = Request.NO_PRODUCER;
        long sequence = Request.ABSENT;
        for (int i = 4; i < t.count(); i++) {
            if (t.startsWith(i, THEN)) {
                then = then(Options.value(t, i, THEN));
            } else if (t.startsWith(i, TIMEOUT)) {
                timeout = (int) Options.number(t, i, TIMEOUT, Integer.MAX_VALUE);
            } else if (t.startsWith(i, BEGUN)) {
                begun = Options.truth(t, i, BEGUN);
            } else if (t.startsWith(i, RequestParser.PRODUCER)) {
                producer = Options.longNumber(t, i, RequestParser.PRODUCER);
            } else if (t.startsWith(i, RequestParser.SEQUENCE)) {
                sequence = Options.number(t, i, RequestParser.SEQUENCE, Long.MAX_VALUE);
            } else {
                throw Options.unknown(t, i, Verb.ENLIST);
            }
        }
        RequestParser.checkPair(producer, sequence);
        return new Request.Enlist(key, then, timeout, begun, body, t.integer(3), producer, sequence);
    }

    private static Then then(String word) {
        return switch (word) {
            case "prepare" -> Then.PREPARE;
            case "commit" -> Then.COMMIT;
            default -> throw new RejectedOptionException("then is prepare or commit, not '" + word + "'");
        };
    }

    static int opaquePlace(Tokens t) {
        int last = t.count() - 1;
        return t.startsWith(last, NUMBER) ? last - 1 : last;
    }

    /**
     * Whether a lone fifth token is a timeout. Only a BEGIN has one; and on a global transaction a number that is the qualifier of
     * the key is the qualifier, however much it looks like a timeout.
     */
    private static boolean isTimeout(Tokens t, TransactionKey key, Step step) {
        return step == Step.BEGIN && t.allDigits(4) && !t.text(4).equals(qualifierOf(key));
    }

    private static @Nullable String qualifierOf(TransactionKey key) {
        return key instanceof TransactionKey.Xa xa ? xa.uniqueQualifier() : null;
    }

    static TransactionKey key(String token) {
        try {
            return TransactionKey.parse(token);
        } catch (IllegalArgumentException e) {
            throw new ProtocolException(Status.BAD_REQUEST, "'" + token + "' is not a transaction key");
        }
    }

    private static Step step(String word) {
        for (Step step : Step.values()) {
            if (step.name().equals(word)) {
                return step;
            }
        }
        throw new ProtocolException(Status.BAD_REQUEST, "'" + word + "' is not a transaction step");
    }
}
