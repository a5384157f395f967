package io.metaq.broker.config;

import java.util.List;
import java.util.function.Function;

/**
 * How the text of a key becomes a value, and how to tell a user what is expected.
 *
 * @param expects completes the sentence "give ...": "a whole number from 0 to 1023"
 * @param reader throws IllegalArgumentException with the reason if the text is no such value
 */
record ValueType<T>(String expects, Function<String, T> reader) {

    T parse(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("has no value");
        }
        return reader.apply(text.trim());
    }

    static ValueType<Integer> wholeNumber(int min, int max) {
        return new ValueType<>(range(min, max), text -> Math.toIntExact(inRange(text, min, max)));
    }

    static ValueType<Long> longNumber(long min, long max) {
        return new ValueType<>(range(min, max), text -> inRange(text, min, max));
    }

    static ValueType<Boolean> flag() {
        return new ValueType<>("true or false", Expressions::flag);
    }

    static ValueType<String> text(String expects) {
        return new ValueType<>(expects, Function.identity());
    }

    static ValueType<Double> decimal(double min, double max) {
        return new ValueType<>("a number from " + plain(min) + " to " + plain(max), text -> {
            double value = Expressions.number(text);
            if (!(value >= min && value <= max)) {
                throw new IllegalArgumentException("is not from " + plain(min) + " to " + plain(max));
            }
            return value;
        });
    }

    static ValueType<String> oneOf(String... words) {
        List<String> known = List.of(words);
        String expects = String.join(", ", known.subList(0, words.length - 1)) + " or " + words[words.length - 1];
        return new ValueType<>(expects, text -> {
            if (!known.contains(text)) {
                throw new IllegalArgumentException("is none of these");
            }
            return text;
        });
    }

    /** The name of a topic or queue, or {@code none}. */
    static ValueType<String> topicName() {
        return new ValueType<>("the name of a queue, or none", text -> {
            if (text.chars().anyMatch(c -> c <= ' ' || "/,*?\\".indexOf(c) >= 0)) {
                throw new IllegalArgumentException("cannot name a queue");
            }
            return text;
        });
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }

    private static String range(long min, long max) {
        String from = min <= Integer.MIN_VALUE ? "" : " of at least " + min;
        String bounds = max >= Integer.MAX_VALUE ? from : " from " + min + " to " + max;
        return "a whole number" + bounds + " (arithmetic such as 64*1024 is allowed)";
    }

    private static long inRange(String text, long min, long max) {
        long value = Expressions.wholeNumber(text);
        if (value < min) {
            throw new IllegalArgumentException("is below " + min);
        }
        if (value > max) {
            throw new IllegalArgumentException("is above " + max);
        }
        return value;
    }
}
