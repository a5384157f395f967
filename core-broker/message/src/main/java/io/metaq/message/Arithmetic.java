package io.metaq.message;

import org.jspecify.annotations.Nullable;

/** {@code left + right} and its like. */
record Arithmetic(char operator, Expression left, Expression right, int depth) implements Expression {
    Arithmetic(char operator, Expression left, Expression right) {
        this(operator, left, right, 1 + Math.max(left.depth(), right.depth()));
    }

    @Override
    public Kind kind() {
        return Kind.NUMBER;
    }

    @Override
    public @Nullable Object evaluate(@Nullable PropertyBlock properties, long messageId) {
        return Numbers.compute(operator, left.evaluate(properties, messageId), right.evaluate(properties, messageId));
    }

    /** {@code -operand}. */
    record Negation(Expression operand) implements Expression {
        @Override
        public Kind kind() {
            return Kind.NUMBER;
        }

        @Override
        public int depth() {
            return 1 + operand.depth();
        }

        @Override
        public @Nullable Object evaluate(@Nullable PropertyBlock properties, long messageId) {
            return Numbers.negate(operand.evaluate(properties, messageId));
        }
    }

    /** {@code +operand}: what is no number is null. */
    record Plus(Expression operand) implements Expression {
        @Override
        public Kind kind() {
            return Kind.NUMBER;
        }

        @Override
        public int depth() {
            return 1 + operand.depth();
        }

        @Override
        public @Nullable Object evaluate(@Nullable PropertyBlock properties, long messageId) {
            return operand.evaluate(properties, messageId) instanceof Number number ? number : null;
        }
    }
}
