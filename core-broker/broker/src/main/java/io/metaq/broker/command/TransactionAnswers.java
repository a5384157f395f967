package io.metaq.broker.command;

import io.metaq.broker.net.Session;
import io.metaq.protocol.Response;
import io.metaq.protocol.Status;
import io.metaq.state.transaction.TransactionOutcome;
import io.metaq.state.transaction.TransactionOutcome.Code;

/** What clients are told of their transactions. The form is 1.4's, whose clients take the code out of the text. */
final class TransactionAnswers {
    /** The answer to a prepare after which the transaction can be committed whatever happens. */
    static final String PREPARED = "0";

    /** The same where nothing was in it, and it is over. */
    private static final String READ_ONLY = "3";

    private static final String GLOBAL = "XID:";

    private TransactionAnswers() {}

    static String error(int code, String text) {
        return "XAException:code=" + code + ",msg=" + text;
    }

    /** 1.4's words for a transaction that is not there. */
    static String notStarted(String key) {
        return key.startsWith(GLOBAL)
                ? "XA transaction '" + key + "' has not been started."
                : "Local transaction '" + key + "' has not been started.";
    }

    static Response.Result of(String key, TransactionOutcome outcome, int opaque) {
        Code code = outcome.code();
        if (outcome.done()) {
            String text = code == Code.PREPARED ? PREPARED : code == Code.READ_ONLY ? READ_ONLY : "";
            return new Response.Result(Status.OK, text, opaque);
        } else if (code == Code.REFUSED && outcome.reason() != null) {
            return new Response.Result(ErrorTexts.status(outcome.reason()), outcome.text(), opaque);
        }
        String text = code == Code.UNKNOWN ? notStarted(key) : outcome.text();
        return new Response.Result(Status.FAILED, error(code.xaCode(), text), opaque);
    }

    /** The same with the number of a transaction that goes on, so that later steps can name it. */
    static Response.Result numbered(String key, TransactionOutcome outcome, int opaque) {
        Response.Result plain = of(key, outcome, opaque);
        return switch (outcome.code()) {
            case DONE -> new Response.Result(Status.OK, "number " + outcome.id(), opaque);
            case PREPARED -> new Response.Result(Status.OK, PREPARED + " number " + outcome.id(), opaque);
            default -> plain;
        };
    }

    /** Whose a transaction is, for operators. */
    static String owner(Session session) {
        String user = session.user();
        return user.isEmpty() ? session.toString() : user + " at " + session;
    }
}
