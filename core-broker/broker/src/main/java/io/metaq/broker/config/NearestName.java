package io.metaq.broker.config;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Guesses which known name was meant by an unknown one. */
final class NearestName {
    private NearestName() {}

    /** The end of a message about an unknown name: "; did you mean X?" with the nearest known one. */
    static String hint(String unknown, List<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(name -> distance(unknown, name)))
                .map(name -> "; did you mean " + name + "?")
                .orElse("");
    }

    private static int distance(String unknown, String name) {
        return LevenshteinDistance.getDefaultInstance()
                .apply(unknown.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
    }
}
