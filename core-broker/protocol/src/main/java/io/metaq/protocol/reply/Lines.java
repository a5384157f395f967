package io.metaq.protocol.reply;

import io.metaq.protocol.ProtocolException;
import io.metaq.protocol.Status;
import java.util.List;

/** Lines of words. */
final class Lines {
    static final String SEPARATOR = "\r\n";

    private Lines() {}

    static List<String> of(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split("\r?\n"));
    }

    static String[] words(String line, int atLeast) {
        String[] words = line.split(" ");
        if (words.length < atLeast) {
            throw unexpected(line);
        }
        return words;
    }

    static int integer(String word, String line) {
        return (int) number(word, line, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    static long longInteger(String word, String line) {
        return number(word, line, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private static long number(String word, String line, long min, long max) {
        try {
            long number = Long.parseLong(word);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw unexpected(line);
        }
        throw unexpected(line);
    }

    static ProtocolException unexpected(String line) {
        return new ProtocolException(Status.FAILED, "unexpected line in a reply: '" + line + "'");
    }
}
