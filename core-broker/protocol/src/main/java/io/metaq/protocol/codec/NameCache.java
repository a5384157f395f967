package io.metaq.protocol.codec;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Strings for the topics and groups that a connection names again and again, so that a put or get does not make them anew. A fixed
 * number of places, one per hash: a stranger who names a million topics displaces entries and nothing else.
 */
final class NameCache {
    private static final int PLACES = 64;
    private static final int MAX_LENGTH = 128;

    private final @Nullable Entry[] entries = new @Nullable Entry[PLACES];

    String get(Tokens tokens, int token) {
        byte[] line = tokens.line();
        int from = tokens.start(token);
        int to = tokens.end(token);
        int hash = 0;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + line[i];
        }
        int place = (hash ^ hash >>> 16) & PLACES - 1;
        Entry entry = entries[place];
        if (entry != null && Arrays.equals(entry.bytes, 0, entry.bytes.length, line, from, to)) {
            return entry.name;
        }
        String name = tokens.text(token);
        if (to - from <= MAX_LENGTH) {
            entries[place] = new Entry(Arrays.copyOfRange(line, from, to), name);
        }
        return name;
    }

    private record Entry(byte[] bytes, String name) {}
}
