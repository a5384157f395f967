package io.metaq.message;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The conditions on one identifier that are no comparisons. */
final class Predicates {
    private Predicates() {}

    /** {@code operand IS [NOT] NULL}: never unknown. */
    record IsNull(Identifier operand, boolean not) implements Expression {
        @Override
        public Kind kind() {
            return Kind.BOOLEAN;
        }

        @Override
        public int depth() {
            return 1;
        }

        @Override
        public Object evaluate(@Nullable PropertyBlock properties, long messageId) {
            return (operand.evaluate(properties, messageId) == null) != not;
        }
    }

    /** {@code operand [NOT] IN (…)}: false, also with NOT, for what is no string. */
    record In(Identifier operand, Set<String> texts, boolean not) implements Expression {
        @Override
        public Kind kind() {
            return Kind.BOOLEAN;
        }

        @Override
        public int depth() {
            return 1;
        }

        @Override
        public @Nullable Object evaluate(@Nullable PropertyBlock properties, long messageId) {
            Object value = operand.evaluate(properties, messageId);
            if (value == null) {
                return null;
            }
            return value instanceof String text && texts.contains(text) != not;
        }
    }

    /** {@code operand [NOT] LIKE …}: false, also with NOT, for what is no string. */
    record Like(Identifier operand, LikePattern pattern, boolean not) implements Expression {
        @Override
        public Kind kind() {
            return Kind.BOOLEAN;
        }

        @Override
        public int depth() {
            return 1;
        }

        @Override
        public @Nullable Object evaluate(@Nullable PropertyBlock properties, long messageId) {
            Object value = operand.evaluate(properties, messageId);
            if (value == null) {
                return null;
            }
            return value instanceof String text && pattern.matches(text) != not;
        }
    }

    /** {@code operand [NOT] BETWEEN low AND high}, which is {@code low <= operand AND operand <= high}. */
    record Between(Expression operand, Expression low, Expression high, boolean not, int depth) implements Expression {
        Between(Expression operand, Expression low, Expression high, boolean not) {
            this(operand, low, high, not, 1 + Math.max(operand.depth(), Math.max(low.depth(), high.depth())));
        }

        @Override
        public Kind kind() {
            return Kind.BOOLEAN;
        }

        @Override
        public @Nullable Object evaluate(@Nullable PropertyBlock properties, long messageId) {
            Object value = operand.evaluate(properties, messageId);
            Boolean above = compared(
                    not ? Comparison.Operator.LESS : Comparison.Operator.GREATER_OR_EQUAL,
                    value,
                    low.evaluate(properties, messageId));
            if (above != null && above == not) {
                return not;
            }
            Boolean below = compared(
                    not ? Comparison.Operator.GREATER : Comparison.Operator.LESS_OR_EQUAL,
                    value,
                    high.evaluate(properties, messageId));
            if (below != null && below == not) {
                return not;
            }
            return above == null || below == null ? null : Boolean.valueOf(!not);
        }

        private static @Nullable Boolean compared(
                Comparison.Operator operator, @Nullable Object value, @Nullable Object bound) {
            return value == null || bound == null ? null : Boolean.valueOf(Comparison.compare(operator, value, bound));
        }
    }
}
