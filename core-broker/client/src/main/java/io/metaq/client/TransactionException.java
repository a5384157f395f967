package io.metaq.client;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The broker refused a step of a transaction by the rules of X/Open: {@link #xaCode()} is the code of its {@code XAException}. */
public final class TransactionException extends MetaqException {

    private static final long serialVersionUID = 1L;

    private static final Pattern TEXT = Pattern.compile("XAException:code=(-?\\d{1,9}),msg=.*", Pattern.DOTALL);

    private final int xaCode;

    private TransactionException(Failure failure, int xaCode) {
        super(failure, null);
        this.xaCode = xaCode;
    }

    /** As {@code javax.transaction.xa.XAException} defines them: -4 for a transaction that is not there, 100 to 107 for rolled back. */
    public int xaCode() {
        return xaCode;
    }

    /** The exception for a reply's text, or null if the text tells of something else. */
    static @Nullable TransactionException of(String text, Failure failure) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches() ? new TransactionException(failure, Integer.parseInt(matcher.group(1))) : null;
    }
}
