package io.metaq.jms.failure;

import io.metaq.client.MetaqException;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.ResourceAllocationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The table of failures: which status of the broker becomes which exception of JMS.
 *
 * <table>
 * <tr><td>400</td><td>JMSException; of an attach: InvalidSelectorException</td></tr>
 * <tr><td>401</td><td>JMSSecurityException</td></tr>
 * <tr><td>403</td><td>JMSSecurityException; of a consumer: InvalidDestinationException (another connection's temporary destination)</td></tr>
 * <tr><td>404</td><td>InvalidDestinationException</td></tr>
 * <tr><td>409</td><td>JMSException; the text says which rule</td></tr>
 * <tr><td>503, 507</td><td>ResourceAllocationException</td></tr>
 * </table>
 */
public final class Failures {

    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int BUSY = 503;
    private static final int NO_SPACE = 507;

    private Failures() {}

    /** What was asked of the broker did not happen. */
    public static JMSException of(Throwable failure, String what) {
        Throwable cause = unwrap(failure);
        if (cause instanceof JMSException known) {
            return known;
        }
        String text = what + ": " + cause.getMessage();
        int code = code(cause);
        JMSException translated = switch (code) {
            case UNAUTHORIZED, FORBIDDEN -> new JMSSecurityException(text, Integer.toString(code));
            case NOT_FOUND -> new InvalidDestinationException(text, Integer.toString(code));
            case BUSY, NO_SPACE -> new ResourceAllocationException(text, Integer.toString(code));
            default -> new JMSException(text, code == 0 ? null : Integer.toString(code));
        };
        return because(translated, cause);
    }

    /** A consumer or browser was not attached. */
    public static JMSException ofAttach(Throwable failure, String what) {
        Throwable cause = unwrap(failure);
        String text = what + ": " + cause.getMessage();
        return switch (code(cause)) {
            case BAD_REQUEST -> because(new InvalidSelectorException(text, "400"), cause);
            case FORBIDDEN -> because(new InvalidDestinationException(text, "403"), cause);
            default -> of(cause, what);
        };
    }

    /** The protocol's status of a failure; 0 when no broker answered. */
    public static int code(@Nullable Throwable failure) {
        return failure != null && unwrap(failure) instanceof MetaqException e ? e.code() : 0;
    }

    /** Whether the broker is known not to have done what it was asked. */
    public static boolean isRefusal(JMSException failure) {
        return failure.getCause() instanceof MetaqException cause && cause.code() != 0 && !cause.isOutcomeUnknown();
    }

    /** The exception within what futures wrap around it. */
    public static Throwable unwrap(Throwable failure) {
        Throwable inner = failure;
        while ((inner instanceof CompletionException || inner instanceof ExecutionException)
                && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner;
    }

    /** Joins a cause to an exception of JMS, in both of the ways in which it can be asked for. */
    public static <E extends JMSException> E because(E failure, @Nullable Throwable cause) {
        if (cause != null) {
            failure.initCause(cause);
            if (cause instanceof Exception linked) {
                failure.setLinkedException(linked);
            }
        }
        return failure;
    }

    /** What the client below said; the failure itself when it is our own. */
    public static Throwable causeOf(JMSException failure) {
        return failure.getCause() instanceof MetaqException cause ? cause : failure;
    }

    /** What every object says after its close. */
    public static IllegalStateException closed(String what) {
        return new IllegalStateException("the " + what + " is closed");
    }
}
