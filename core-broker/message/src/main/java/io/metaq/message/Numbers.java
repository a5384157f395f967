package io.metaq.message;

import org.jspecify.annotations.Nullable;

/** Arithmetic by Java's promotion, with {@code long} for all whole numbers and {@code double} for all others. */
final class Numbers {
    private Numbers() {}

    static boolean isExact(Object value) {
        return value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte;
    }

    static boolean isNumber(@Nullable Object value) {
        return value instanceof Number;
    }

    /** Null where there is no result: an operand that is null or no number, a whole number divided by zero. */
    static @Nullable Number compute(char operator, @Nullable Object left, @Nullable Object right) {
        if (!(left instanceof Number a) || !(right instanceof Number b)) {
            return null;
        }
        if (isExact(a) && isExact(b)) {
            return exact(operator, a.longValue(), b.longValue());
        }
        double x = a.doubleValue();
        double y = b.doubleValue();
        return switch (operator) {
            case '+' -> x + y;
            case '-' -> x - y;
            case '*' -> x * y;
            default -> x / y;
        };
    }

    private static @Nullable Number exact(char operator, long x, long y) {
        return switch (operator) {
            case '+' -> x + y;
            case '-' -> x - y;
            case '*' -> x * y;
            default -> y == 0 ? null : Long.valueOf(x / y);
        };
    }

    static @Nullable Number negate(@Nullable Object value) {
        if (!(value instanceof Number number)) {
            return null;
        }
        return isExact(number) ? (Number) (-number.longValue()) : (Number) (-number.doubleValue());
    }
}
