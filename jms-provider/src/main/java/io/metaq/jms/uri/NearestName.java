package io.metaq.jms.uri;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** Guesses which known name was meant by an unknown one. */
public final class NearestName {
    private NearestName() {}

    /** The end of a message about an unknown name: "; did you mean X?" with the nearest known one, nothing if none is known. */
    public static String hint(String unknown, Collection<String> known) {
        return known.stream()
                .min(Comparator.<String>comparingInt(name -> distance(unknown, name))
                        .thenComparing(Comparator.naturalOrder()))
                .map(name -> "; did you mean " + name + "?")
                .orElse("");
    }

    /** How many characters have to be put in, left out or changed; upper and lower case count as the same. */
    private static int distance(String left, String right) {
        String from = left.toLowerCase(Locale.ROOT);
        String to = right.toLowerCase(Locale.ROOT);
        int[] row = new int[to.length() + 1];
        for (int column = 0; column < row.length; column++) {
            row[column] = column;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int changed = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
