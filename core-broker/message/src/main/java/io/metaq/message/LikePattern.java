package io.metaq.message;

import java.util.Arrays;

/**
 * The pattern of a LIKE: {@code _} is any one character, {@code %} any number of them, all others stand for themselves, as do these
 * two behind the escape character. Matching goes back to the last {@code %} only, so that its time is bounded by the product of
 * both lengths whatever the pattern.
 */
final class LikePattern {
    private static final int ONE = -1;
    private static final int MANY = -2;

    /** Code points, {@link #ONE} and {@link #MANY}. */
    private final int[] parts;

    private LikePattern(int[] parts) {
        this.parts = parts;
    }

    /**
     * @param escape a code point, or a negative number for none
     * @return null if the pattern ends with the escape character
     */
    static @org.jspecify.annotations.Nullable LikePattern parse(String text, int escape) {
        int[] points = text.codePoints().toArray();
        int size = 0;
        for (int i = 0; i < points.length; i++) {
            int point = points[i];
            if (point == escape) {
                if (++i == points.length) {
                    return null;
                }
                points[size++] = points[i];
            } else if (point == '%') {
                if (size == 0 || points[size - 1] != MANY) {
                    points[size++] = MANY;
                }
            } else {
                points[size++] = point == '_' ? ONE : point;
            }
        }
        return new LikePattern(Arrays.copyOf(points, size));
    }

    boolean matches(String text) {
        int at = 0;
        int part = 0;
        int manyPart = -1;
        int manyAt = 0;
        while (at < text.length()) {
            int point = text.codePointAt(at);
            if (part < parts.length && parts[part] == MANY) {
                manyPart = part++;
                manyAt = at;
            } else if (part < parts.length && (parts[part] == ONE || parts[part] == point)) {
                part++;
                at += Character.charCount(point);
            } else if (manyPart >= 0) {
                // The last % takes one character more.
                manyAt += Character.charCount(text.codePointAt(manyAt));
                at = manyAt;
                part = manyPart + 1;
            } else {
                return false;
            }
        }
        while (part < parts.length && parts[part] == MANY) {
            part++;
        }
        return part == parts.length;
    }
}
