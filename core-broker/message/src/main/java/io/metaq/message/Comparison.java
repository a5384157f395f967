package io.metaq.message;

import org.jspecify.annotations.Nullable;

/** {@code left = right} and its like. */
record Comparison(Operator operator, Expression left, Expression right, int depth) implements Expression {
    Comparison(Operator operator, Expression left, Expression right) {
        this(operator, left, right, 1 + Math.max(left.depth(), right.depth()));
    }

    enum Operator {
        EQUAL("="),
        UNEQUAL("<>"),
        LESS("<"),
        LESS_OR_EQUAL("<="),
        GREATER(">"),
        GREATER_OR_EQUAL(">=");

        private final String sign;

        Operator(String sign) {
            this.sign = sign;
        }

        static @Nullable Operator of(String sign) {
            for (Operator operator : values()) {
                if (operator.sign.equals(sign)) {
                    return operator;
                }
            }
            return null;
        }

        boolean isOrder() {
            return this != EQUAL && this != UNEQUAL;
        }

        boolean ofExact(long a, long b) {
            return switch (this) {
                case EQUAL -> a == b;
                case UNEQUAL -> a != b;
                case LESS -> a < b;
                case LESS_OR_EQUAL -> a <= b;
                case GREATER -> a > b;
                case GREATER_OR_EQUAL -> a >= b;
            };
        }

        boolean ofApproximate(double a, double b) {
            return switch (this) {
                case EQUAL -> a == b;
                case UNEQUAL -> a != b;
                case LESS -> a < b;
                case LESS_OR_EQUAL -> a <= b;
                case GREATER -> a > b;
                case GREATER_OR_EQUAL -> a >= b;
            };
        }
    }

    /** The comparison, with a node of its own for the most frequent one: a property with a string. */
    static Expression of(Operator operator, Expression left, Expression right) {
        if (!operator.isOrder() && left instanceof Identifier name && right instanceof Literal text) {
            if (text.kind() == Kind.STRING) {
                return new IsText(name, text, text.utf8(), operator == Operator.EQUAL);
            }
        }
        return new Comparison(operator, left, right);
    }

    @Override
    public Kind kind() {
        return Kind.BOOLEAN;
    }

    @Override
    public @Nullable Object evaluate(@Nullable PropertyBlock properties, long messageId) {
        Object a = left.evaluate(properties, messageId);
        Object b = right.evaluate(properties, messageId);
        return a == null || b == null ? null : Boolean.valueOf(compare(operator, a, b));
    }

    static boolean compare(Operator operator, Object a, Object b) {
        if (a instanceof Number x && b instanceof Number y) {
            return Numbers.isExact(x) && Numbers.isExact(y)
                    ? operator.ofExact(x.longValue(), y.longValue())
                    : operator.ofApproximate(x.doubleValue(), y.doubleValue());
        }
        boolean alike = a instanceof String && b instanceof String || a instanceof Boolean && b instanceof Boolean;
        return alike && !operator.isOrder() && a.equals(b) == (operator == Operator.EQUAL);
    }

    /** {@code name = 'text'} or {@code name <> 'text'}, without making a string of the property. */
    record IsText(Identifier name, Literal text, byte[] utf8, boolean equal) implements Expression {
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
            Boolean same = name.isString(properties, messageId, text, utf8);
            if (equal || same == null) {
                return same;
            }
            return !same && name.isOfString(properties, messageId);
        }
    }
}
