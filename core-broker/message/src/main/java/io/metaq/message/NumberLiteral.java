package io.metaq.message;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Numbers in the forms of Java's literals. Whole ones have the range of {@code long}, with or without the suffix. */
final class NumberLiteral {
    private static final String DIGITS = "\\d(?:_*\\d)*+";
    private static final Pattern EXACT = Pattern.compile(
            "(?:0[xX]\\p{XDigit}(?:_*\\p{XDigit})*+|0[bB][01](?:_*[01])*+|0(?:_*[0-7])*+|[1-9](?:_*\\d)*+)[lL]?");
    private static final String EXPONENT = "(?:[eE][+-]?" + DIGITS + ")";
    private static final Pattern APPROXIMATE = Pattern.compile("(?:" + DIGITS + "\\.(?:" + DIGITS + ")?|\\." + DIGITS
            + ")" + EXPONENT + "?[fFdD]?|" + DIGITS + "(?:" + EXPONENT + "[fFdD]?|[fFdD])");
    private static final Pattern APPROXIMATE_HEX =
            Pattern.compile("0[xX](?:\\p{XDigit}++\\.?|\\p{XDigit}*+\\.\\p{XDigit}++)[pP][+-]?\\d++[fFdD]?");

    /** Longer ones are no numbers that anyone means. */
    private static final int MAX_LENGTH = 1000;

    private NumberLiteral() {}

    /**
     * @param negative whether a minus stands before it: the smallest {@code long} has no positive counterpart
     * @return a Long or a Double, or null if it is no number or out of range
     */
    static @Nullable Number parse(String text, boolean negative) {
        if (text.length() > MAX_LENGTH) {
            return null;
        }
        if (EXACT.matcher(text).matches()) {
            return exact(text.replace("_", ""), negative);
        }
        if (APPROXIMATE.matcher(text).matches() || APPROXIMATE_HEX.matcher(text).matches()) {
            return approximate(text.replace("_", ""), negative);
        }
        return null;
    }

    private static @Nullable Number exact(String text, boolean negative) {
        String digits = text.endsWith("l") || text.endsWith("L") ? text.substring(0, text.length() - 1) : text;
        String sign = negative ? "-" : "";
        try {
            if (digits.startsWith("0x") || digits.startsWith("0X")) {
                return bits(digits.substring(2), 16, negative);
            } else if (digits.startsWith("0b") || digits.startsWith("0B")) {
                return bits(digits.substring(2), 2, negative);
            } else if (digits.length() > 1 && digits.startsWith("0")) {
                return bits(digits.substring(1), 8, negative);
            }
            return Long.valueOf(sign + digits);
        } catch (NumberFormatException e) {
            // Out of the range of long: the caller says so, with the position.
            return null;
        }
    }

    /** All 64 bits may be written, as in Java. */
    private static Long bits(String digits, int radix, boolean negative) {
        long value = Long.parseUnsignedLong(digits, radix);
        return negative ? -value : value;
    }

    private static @Nullable Number approximate(String text, boolean negative) {
        boolean single = text.endsWith("f") || text.endsWith("F");
        double value = single ? Float.parseFloat(text) : Double.parseDouble(text);
        if (Double.isInfinite(value)) {
            return null;
        }
        return negative ? -value : value;
    }
}
