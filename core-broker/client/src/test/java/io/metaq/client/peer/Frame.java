package io.metaq.client.peer;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A request as the peer read it, with a codec of its own so that a mistake in the product's codec shows. */
public record Frame(List<String> words, byte[] body) {

    public String verb() {
        return words.get(0);
    }

    public String word(int index) {
        return words.get(index);
    }

    /** The value of a {@code key=value} word, or null. */
    public String option(String key) {
        for (String word : words) {
            if (word.startsWith(key + "=")) {
                return word.substring(key.length() + 1);
            }
        }
        return null;
    }

    public String option(String key, String otherwise) {
        String value = option(key);
        return value == null ? otherwise : value;
    }

    /** The opaque: the last word that is no option. */
    public String opaque() {
        for (int i = words.size() - 1; i >= 0; i--) {
            if (words.get(i).indexOf('=') < 0) {
                return words.get(i);
            }
        }
        throw new IllegalStateException("no opaque in " + words);
    }

    /** Null at the end of the stream. */
    static Frame read(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int before = -1;
        for (int c = in.read(); c >= 0; c = in.read()) {
            line.write(c);
            if (c == '\n' && before == '\r') {
                String text = line.toString(StandardCharsets.UTF_8);
                List<String> words =
                        List.of(text.substring(0, text.length() - 2).split(" "));
                return new Frame(words, in.readNBytes(bodyLength(words)));
            }
            before = c;
        }
        return null;
    }

    private static int bodyLength(List<String> words) {
        return switch (words.get(0)) {
            case "put" -> Integer.parseInt(words.get(3));
            case "append" -> Integer.parseInt(words.get(4));
            default -> 0;
        };
    }

    public List<String> plainWords() {
        List<String> plain = new ArrayList<>(words);
        plain.removeIf(word -> word.indexOf('=') >= 0);
        return plain;
    }
}
