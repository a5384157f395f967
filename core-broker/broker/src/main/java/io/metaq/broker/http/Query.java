package io.metaq.broker.http;

import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The parameters behind the question mark: each known, each once. */
final class Query {
    private static final int MAX_PARAMETERS = 256;
    private static final char REPLACEMENT = '\uFFFD';

    private final Map<String, String> values;

    private Query(Map<String, String> values) {
        this.values = values;
    }

    /**
     * @param known names that may be given; one that ends with a dot stands for all that begin with it
     * @throws HttpFailure if it cannot be read, or has a parameter that is unknown or there twice
     */
    static Query of(String uri, Set<String> known) {
        Map<String, List<String>> decoded;
        try {
            decoded = new QueryStringDecoder(uri, StandardCharsets.UTF_8, true, MAX_PARAMETERS, true).parameters();
        } catch (IllegalArgumentException e) {
            throw HttpFailure.badRequest("the query cannot be read: " + e.getMessage());
        }
        Map<String, String> values = new LinkedHashMap<>();
        decoded.forEach((name, given) -> {
            if (!known(name, known)) {
                throw HttpFailure.badRequest("there is no parameter '" + name + "' here"
                        + (known.isEmpty() ? "" : "; there are " + String.join(", ", new TreeSet<>(known))));
            } else if (given.size() > 1) {
                throw HttpFailure.badRequest("the parameter '" + name + "' is given twice");
            }
            values.put(name, given.get(0));
        });
        // What is no UTF-8 was replaced by the decoder; only who meant that character has its code in the query.
        boolean meant = uri.toUpperCase(Locale.ROOT).contains("%EF%BF%BD");
        if (!meant && values.toString().indexOf(REPLACEMENT) >= 0) {
            throw HttpFailure.badRequest("the query is not UTF-8");
        }
        return new Query(values);
    }

    private static boolean known(String name, Set<String> known) {
        return known.contains(name)
                || known.stream()
                        .anyMatch(prefix ->
                                prefix.endsWith(".") && name.startsWith(prefix) && name.length() > prefix.length());
    }

    Map<String, String> all() {
        return values;
    }

    @Nullable
    String text(String name) {
        return values.get(name);
    }

    String text(String name, String otherwise) {
        return values.getOrDefault(name, otherwise);
    }

    int number(String name, int otherwise, int min, int max) {
        return (int) number(name, (long) otherwise, min, max);
    }

    long number(String name, long otherwise, long min, long max) {
        String text = values.get(name);
        return text == null ? otherwise : number(name, text, min, max);
    }

    static long number(String name, String text, long min, long max) {
        try {
            long number = Long.parseLong(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw notANumber(name, text, min, max);
        }
        throw notANumber(name, text, min, max);
    }

    private static HttpFailure notANumber(String name, String text, long min, long max) {
        return HttpFailure.badRequest(
                name + " must be a whole number from " + min + " to " + max + ", not '" + text + "'");
    }
}
