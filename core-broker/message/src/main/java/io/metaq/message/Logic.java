package io.metaq.message;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code AND} or {@code OR} of two and more conditions, flat so that a long chain is not a deep tree.
 *
 * @param decisive what one operand must be for the whole to be it: false for AND, true for OR
 */
record Logic(Boolean decisive, List<Expression> operands, int depth) implements Expression {
    Logic(Boolean decisive, List<Expression> operands) {
        this(
                decisive,
                List.copyOf(operands),
                1 + operands.stream().mapToInt(Expression::depth).max().orElse(0));
    }

    @Override
    public Kind kind() {
        return Kind.BOOLEAN;
    }

    @Override
    public @Nullable Object evaluate(@Nullable PropertyBlock properties, long messageId) {
        boolean unknown = false;
        for (int i = 0; i < operands.size(); i++) {
            Object value = operands.get(i).evaluate(properties, messageId);
            if (decisive.equals(value)) {
                return decisive;
            }
            // A property that is no boolean says neither true nor false.
            unknown |= !(value instanceof Boolean);
        }
        return unknown ? null : Boolean.valueOf(!decisive);
    }

    /** {@code NOT operand}. */
    record Not(Expression operand) implements Expression {
        @Override
        public Kind kind() {
            return Kind.BOOLEAN;
        }

        @Override
        public int depth() {
            return 1 + operand.depth();
        }

        @Override
        public @Nullable Object evaluate(@Nullable PropertyBlock properties, long messageId) {
            return operand.evaluate(properties, messageId) instanceof Boolean value ? Boolean.valueOf(!value) : null;
        }
    }
}
