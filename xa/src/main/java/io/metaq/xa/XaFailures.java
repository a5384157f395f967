package io.metaq.xa;

import javax.transaction.xa.XAException;
import org.jspecify.annotations.Nullable;

/** XAExceptions with a text and a cause, which their constructors do not take together with a code. */
public final class XaFailures {

    private static final class Coded extends XAException {
        private static final long serialVersionUID = 1L;

        Coded(int code, String text, @Nullable Throwable cause) {
            super(text);
            errorCode = code;
            if (cause != null) {
                initCause(cause);
            }
        }
    }

    private XaFailures() {}

    public static XAException of(int code, String text) {
        return new Coded(code, text, null);
    }

    public static XAException of(int code, String text, @Nullable Throwable cause) {
        return new Coded(code, text, cause);
    }

    /** Whether the code says that the branch is rolled back. */
    public static boolean isRollback(int code) {
        return code >= XAException.XA_RBBASE && code <= XAException.XA_RBEND;
    }

    /** Whether the code says that somebody else has decided about the branch. */
    public static boolean isHeuristic(int code) {
        return code >= XAException.XA_HEURMIX && code <= XAException.XA_HEURHAZ;
    }
}
