package io.metaq.testkit.vector;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Bytes with placeholders where they vary. Text stands for its UTF-8 bytes, {@code \r \n \t \\ \{ \xHH} for single ones; {@code
 * {kind}} or {@code {kind=name}} is a placeholder. Two placeholders of one name stand for the same number.
 */
public final class Template {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([a-z0-9]+)(?:=([a-z]+))?}");

    private record Part(
            @Nullable String literal, Kind kind, @Nullable String name) {}

    private enum Kind {
        LITERAL("", ""),
        /** Number of bytes after the header line. */
        LEN("\\d+", "0"),
        /** A message id: unique and not negative. */
        ID("\\d+", "4711"),
        /** A message id as eight bytes. */
        ID8("[\\x00-\\x7f][\\x00-\\xff]{7}", "\0\0\0\0\0\0\u0012\u0067"),
        NUMBER("-?\\d+", "17"),
        WORD("[^ \\r\\n']+", "word"),
        BYTE("[\\x00-\\xff]", "b"),
        TEXT("[\\x00-\\xff]*", "text");

        private final String regex;
        private final String sample;

        Kind(String regex, String sample) {
            this.regex = regex;
            this.sample = sample;
        }
    }

    private final List<Part> parts;

    private Template(List<Part> parts) {
        this.parts = parts;
    }

    public static Template parse(String text) {
        List<Part> parts = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        Matcher placeholder = PLACEHOLDER.matcher(text);
        for (int i = 0; i < text.length(); ) {
            char c = text.charAt(i);
            if (c == '\\') {
                i = escape(text, i, literal);
            } else if (c == '{' && placeholder.region(i, text.length()).lookingAt()) {
                flush(literal, parts);
                parts.add(new Part(
                        null, Kind.valueOf(placeholder.group(1).toUpperCase(Locale.ROOT)), placeholder.group(2)));
                i = placeholder.end();
            } else {
                int point = text.codePointAt(i);
                literal.append(latin1(Character.toString(point).getBytes(StandardCharsets.UTF_8)));
                i += Character.charCount(point);
            }
        }
        flush(literal, parts);
        return new Template(parts);
    }

    private static int escape(String text, int at, StringBuilder literal) {
        char c = text.charAt(at + 1);
        if (c == 'x') {
            literal.append((char) HexFormat.fromHexDigits(text, at + 2, at + 4));
            return at + 4;
        }
        int known = "rnt\\{".indexOf(c);
        if (known < 0) {
            throw new IllegalArgumentException("unknown escape \\" + c + " in " + text);
        }
        literal.append("\r\n\t\\{".charAt(known));
        return at + 2;
    }

    private static void flush(StringBuilder literal, List<Part> parts) {
        if (literal.length() > 0) {
            parts.add(new Part(literal.toString(), Kind.LITERAL, null));
            literal.setLength(0);
        }
    }

    private static String latin1(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** The bytes, with placeholders filled by an example; lengths are right. */
    public byte[] sample() {
        String text = sample(0);
        int body = text.indexOf("\r\n") + 2;
        return sample(text.length() - body).getBytes(StandardCharsets.ISO_8859_1);
    }

    private String sample(int length) {
        StringBuilder out = new StringBuilder();
        for (Part part : parts) {
            out.append(
                    part.literal != null
                            ? part.literal
                            : part.kind == Kind.LEN ? String.valueOf(length) : part.kind.sample);
        }
        return out.toString();
    }

    /**
     * Whether the bytes are of this form and agree with the numbers known by name, to which those of these bytes are then added.
     */
    boolean matches(byte[] bytes, Map<String, Long> known) {
        StringBuilder regex = new StringBuilder();
        for (Part part : parts) {
            regex.append(part.literal != null ? Pattern.quote(part.literal) : "(" + part.kind.regex + ")");
        }
        Matcher matcher = Pattern.compile(regex.toString()).matcher(latin1(bytes));
        if (!matcher.matches()) {
            return false;
        }
        Map<String, Long> found = new HashMap<>();
        int group = 0;
        for (Part part : parts) {
            if (part.literal == null) {
                group++;
                if (part.name != null && !agrees(part, matcher.group(group), known, found)) {
                    return false;
                }
            }
        }
        known.putAll(found);
        return true;
    }

    private static boolean agrees(Part part, String text, Map<String, Long> known, Map<String, Long> found) {
        long number = part.kind == Kind.ID8
                ? ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)).getLong()
                : Long.parseLong(text);
        Long before = known.getOrDefault(part.name, found.get(part.name));
        if (before != null) {
            return before == number;
        }
        found.put(String.valueOf(part.name), number);
        return true;
    }

    /** Bytes in the form that this class reads. */
    static String show(byte[] bytes) {
        StringBuilder out = new StringBuilder();
        for (byte b : bytes) {
            switch (b) {
                case '\r' -> out.append("\\r");
                case '\n' -> out.append("\\n");
                case '\\' -> out.append("\\\\");
                default -> {
                    if (b >= ' ' && b < 0x7F) {
                        out.append((char) b);
                    } else {
                        out.append(String.format("\\x%02x", b));
                    }
                }
            }
        }
        return out.toString();
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        for (Part part : parts) {
            if (part.literal != null) {
                out.append(show(part.literal.getBytes(StandardCharsets.ISO_8859_1)));
            } else {
                out.append('{').append(part.kind.name().toLowerCase(Locale.ROOT));
                out.append(part.name == null ? "}" : "=" + part.name + "}");
            }
        }
        return out.toString();
    }
}
