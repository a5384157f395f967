package io.metaq.broker.config;

import com.ezylang.evalex.EvaluationException;
import com.ezylang.evalex.Expression;
import com.ezylang.evalex.config.ExpressionConfiguration;
import com.ezylang.evalex.data.EvaluationValue;
import com.ezylang.evalex.parser.ParseException;
import java.util.regex.Pattern;

/** Numbers and booleans may be written as expressions ({@code 1024*1024*1024}), as the files of 1.4 do. */
final class Expressions {
    private static final Pattern PLAIN_NUMBER = Pattern.compile("[+-]?\\d{1,18}");
    private static final ExpressionConfiguration SYNTAX = ExpressionConfiguration.builder()
            .implicitMultiplicationAllowed(false)
            .build();

    private Expressions() {}

    /** @throws IllegalArgumentException if the text is not an expression that yields a whole number of 64 bits */
    static long wholeNumber(String text) {
        if (PLAIN_NUMBER.matcher(text).matches()) {
            return Long.parseLong(text);
        }
        EvaluationValue value = evaluate(text, "a number");
        if (!value.isNumberValue()) {
            throw new IllegalArgumentException("is not a number");
        }
        try {
            return value.getNumberValue().longValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("is not a whole number that fits in 64 bits", e);
        }
    }

    /** @throws IllegalArgumentException if the text is not an expression that yields a number */
    static double number(String text) {
        EvaluationValue value = evaluate(text, "a number");
        if (!value.isNumberValue()) {
            throw new IllegalArgumentException("is not a number");
        }
        return value.getNumberValue().doubleValue();
    }

    /** @throws IllegalArgumentException if the text is not an expression that yields true or false */
    static boolean flag(String text) {
        if (text.equals("true") || text.equals("false")) {
            return text.equals("true");
        }
        EvaluationValue value = evaluate(text, "true or false");
        if (!value.isBooleanValue()) {
            throw new IllegalArgumentException("is neither true nor false");
        }
        return value.getBooleanValue();
    }

    private static EvaluationValue evaluate(String text, String wanted) {
        try {
            return new Expression(text, SYNTAX).evaluate();
        } catch (EvaluationException | ParseException | ArithmeticException e) {
            throw new IllegalArgumentException("is not " + wanted, e);
        }
    }
}
