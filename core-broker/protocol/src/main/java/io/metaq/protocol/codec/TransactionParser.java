package io.metaq.protocol.codec;

import io.metaq.protocol.ProtocolException;
import io.metaq.protocol.Request.Transaction;
import io.metaq.protocol.Request.Transaction.Step;
import io.metaq.protocol.Status;
import io.metaq.protocol.TransactionKey;
import org.jspecify.annotations.Nullable;

/** {@code transaction KEY SESSION TYPE [TIMEOUT] [UQ] OPQ}. */
final class TransactionParser {
    private TransactionParser() {}

    static Transaction parse(Tokens t) {
        RequestParser.counted(t, 5, 7, "transaction KEY SESSION TYPE [TIMEOUT] [UQ] OPQ");
        TransactionKey key = key(t.text(1));
        Step step = step(t.text(3));
        int last = t.count() - 1;
        boolean timeoutFirst = last == 6 || last == 5 && isTimeout(t, key, step);
        int timeout = timeoutFirst ? t.integer(4) : 0;
        String qualifier = last == 6 ? t.text(5) : last == 5 && !timeoutFirst ? t.text(4) : null;
        return new Transaction(key, t.text(2), step, timeout, qualifier, t.integer(last));
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
