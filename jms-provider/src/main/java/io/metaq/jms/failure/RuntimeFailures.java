package io.metaq.jms.failure;

import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidClientIDRuntimeException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.InvalidSelectorRuntimeException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.MessageNotWriteableRuntimeException;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.ResourceAllocationRuntimeException;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.TransactionInProgressRuntimeException;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.TransactionRolledBackRuntimeException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The simplified API's unchecked twin of each checked exception. */
public final class RuntimeFailures {

    private interface Maker {
        JMSRuntimeException make(String text, @Nullable String code, Throwable cause);
    }

    private record Twin(Class<? extends JMSException> checked, Maker maker) {}

    private static final List<Twin> TWINS = List.of(
            new Twin(IllegalStateException.class, IllegalStateRuntimeException::new),
            new Twin(InvalidClientIDException.class, InvalidClientIDRuntimeException::new),
            new Twin(InvalidDestinationException.class, InvalidDestinationRuntimeException::new),
            new Twin(InvalidSelectorException.class, InvalidSelectorRuntimeException::new),
            new Twin(JMSSecurityException.class, JMSSecurityRuntimeException::new),
            new Twin(MessageFormatException.class, MessageFormatRuntimeException::new),
            new Twin(MessageNotWriteableException.class, MessageNotWriteableRuntimeException::new),
            new Twin(ResourceAllocationException.class, ResourceAllocationRuntimeException::new),
            new Twin(TransactionInProgressException.class, TransactionInProgressRuntimeException::new),
            new Twin(TransactionRolledBackException.class, TransactionRolledBackRuntimeException::new));

    private RuntimeFailures() {}

    /** Something of the classic API that gives a value. */
    @FunctionalInterface
    public interface Call<T> {
        T get() throws JMSException;
    }

    /** Something of the classic API that may give null. */
    @FunctionalInterface
    public interface NullableCall<T> {
        @Nullable
        T get() throws JMSException;
    }

    /** Something of the classic API that gives none. */
    @FunctionalInterface
    public interface Action {
        void run() throws JMSException;
    }

    public static JMSRuntimeException of(JMSException failure) {
        String text = Objects.requireNonNullElse(failure.getMessage(), "");
        for (Twin twin : TWINS) {
            if (twin.checked.isInstance(failure)) {
                return twin.maker.make(text, failure.getErrorCode(), failure);
            }
        }
        return new JMSRuntimeException(text, failure.getErrorCode(), failure);
    }

    public static <T> T call(Call<T> call) {
        try {
            return call.get();
        } catch (JMSException e) {
            throw of(e);
        }
    }

    public static <T> @Nullable T callNullable(NullableCall<T> call) {
        try {
            return call.get();
        } catch (JMSException e) {
            throw of(e);
        }
    }

    public static void run(Action action) {
        try {
            action.run();
        } catch (JMSException e) {
            throw of(e);
        }
    }
}
