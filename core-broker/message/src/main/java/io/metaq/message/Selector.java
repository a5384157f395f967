package io.metaq.message;

import org.jspecify.annotations.Nullable;

/**
 * A message selector of Jakarta Messaging 3.1 (section 3.8): a condition on headers and properties in a subset of SQL-92 with
 * three-valued logic. Immutable, usable by any number of threads. Evaluation reads the property block where it lies.
 *
 * <p>Selectable are properties, {@code JMSX…} and {@code JMS_…} among them, and of the headers {@code JMSDeliveryMode} (as {@code
 * 'PERSISTENT'} and {@code 'NON_PERSISTENT'}), {@code JMSPriority}, {@code JMSMessageID}, {@code JMSTimestamp}, {@code
 * JMSCorrelationID}, {@code JMSType}. A property that is absent or null makes what it is compared in unknown. Values of different
 * kinds (a string with a number) are neither equal nor unequal: such a comparison is false. Whole numbers are computed as {@code
 * long}, with others as {@code double}; a division of whole numbers by zero is null.
 */
public final class Selector {
    /** Longest text, in characters. */
    public static final int MAX_LENGTH = 64 * 1024;

    private final String text;
    private final Expression condition;

    private Selector(String text, Expression condition) {
        this.text = text;
        this.condition = condition;
    }

    /**
     * @param text of nothing but white space: all messages match
     * @throws InvalidSelectorException if it is no selector, or a longer or more deeply nested one than is reasonable
     */
    public static Selector parse(String text) throws InvalidSelectorException {
        if (text.length() > MAX_LENGTH) {
            throw new InvalidSelectorException(text, MAX_LENGTH, "more than " + MAX_LENGTH + " characters");
        }
        return new Selector(text, text.isBlank() ? Literal.TRUE : new SelectorParser(text).parse());
    }

    /**
     * Whether the condition is true; false if it is false or unknown.
     *
     * @param properties null: the message has none. A malformed block matches nothing, since it is the sender's fault alone
     * @param messageId the broker's id, which makes the {@code JMSMessageID} of a message that has not brought its own
     */
    public boolean matches(@Nullable PropertyBlock properties, long messageId) {
        try {
            return Boolean.TRUE.equals(condition.evaluate(properties, messageId));
        } catch (MalformedPropertiesException e) {
            return false;
        }
    }

    /** The text as it was parsed. */
    public String text() {
        return text;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Selector selector && text.equals(selector.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
