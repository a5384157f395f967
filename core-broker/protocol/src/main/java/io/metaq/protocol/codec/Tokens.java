package io.metaq.protocol.codec;

import io.metaq.protocol.ProtocolException;
import io.metaq.protocol.Status;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of a header line, read in place: numbers are parsed from the bytes and a string is only made when asked for. Exactly
 * one space separates, so two spaces make an empty token; empty tokens at the end do not count.
 */
final class Tokens {
    private byte[] line = new byte[0];
    private int[] starts = new int[16];
    private int[] ends = new int[16];
    private int count;

    void split(byte[] bytes, int length) {
        line = bytes;
        count = 0;
        int start = 0;
        int used = 0;
        for (int i = 0; i <= length; i++) {
            if (i == length || bytes[i] == ' ') {
                add(start, i);
                used = i > start ? count : used;
                start = i + 1;
            }
        }
        count = used;
    }

    private void add(int start, int end) {
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, count * 2);
            ends = Arrays.copyOf(ends, count * 2);
        }
        starts[count] = start;
        ends[count] = end;
        count++;
    }

    int count() {
        return count;
    }

    byte[] line() {
        return line;
    }

    int start(int token) {
        return starts[token];
    }

    int end(int token) {
        return ends[token];
    }

    boolean isEmpty(int token) {
        return starts[token] == ends[token];
    }

    /** Whether the token is an option, {@code key=value}. */
    boolean isOption(int token) {
        return indexOf(token, '=') > starts[token];
    }

    /** Whether the token starts as a number does. */
    boolean looksNumeric(int token) {
        byte first = isEmpty(token) ? 0 : line[starts[token]];
        return first == '-' || first >= '0' && first <= '9';
    }

    boolean allDigits(int token) {
        for (int i = starts[token]; i < ends[token]; i++) {
            if (line[i] < '0' || line[i] > '9') {
                return false;
            }
        }
        return !isEmpty(token);
    }

    int indexOf(int token, char wanted) {
        for (int i = starts[token]; i < ends[token]; i++) {
            if (line[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    boolean startsWith(int token, byte[] prefix) {
        int start = starts[token];
        return ends[token] - start >= prefix.length
                && Arrays.equals(line, start, start + prefix.length, prefix, 0, prefix.length);
    }

    int integer(int token) {
        return (int) number(starts[token], ends[token], Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    long longInteger(int token) {
        return number(starts[token], ends[token], Long.MIN_VALUE, Long.MAX_VALUE);
    }

    long longFrom(int token, int from) {
        return number(from, ends[token], Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** A number from {@code from} to the token's end that must lie in 0 to {@code max}. */
    long numberFrom(int token, int from, long max) {
        return number(from, ends[token], 0, max);
    }

    /** The opaque at the token, or null where there is none that can be read. */
    @Nullable
    Integer integerOrNull(int token) {
        if (token < 0 || token >= count) {
            return null;
        }
        try {
            return integer(token);
        } catch (ProtocolException e) {
            return null;
        }
    }

    /** Counts down from zero, since the smallest long has no positive counterpart. */
    private long number(int from, int to, long min, long max) {
        boolean negative = from < to && line[from] == '-';
        int at = negative ? from + 1 : from;
        if (at == to) {
            throw notNumber(from, to);
        }
        long value = 0;
        for (; at < to; at++) {
            int digit = line[at] - '0';
            if (digit < 0 || digit > 9 || value < (Long.MIN_VALUE + digit) / 10) {
                throw notNumber(from, to);
            }
            value = value * 10 - digit;
        }
        if (negative ? value < min : value < -max) {
            throw notNumber(from, to);
        }
        return negative ? value : -value;
    }

    private ProtocolException notNumber(int from, int to) {
        return new ProtocolException(
                Status.BAD_REQUEST, "'" + printable(from, to) + "' is not a number that can stand here");
    }

    String text(int token) {
        return text(starts[token], ends[token]);
    }

    /** The bytes as UTF-8 text without control characters, which have no place in a name and could forge lines of a log. */
    String text(int from, int to) {
        boolean ascii = true;
        for (int i = from; i < to; i++) {
            if (line[i] >= 0 && line[i] < ' ' || line[i] == 0x7F) {
                throw new ProtocolException(Status.BAD_REQUEST, "a header holds a control character");
            }
            ascii &= line[i] >= 0;
        }
        return ascii ? new String(line, from, to - from, StandardCharsets.ISO_8859_1) : utf8(from, to);
    }

    private String utf8(int from, int to) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(line, from, to - from))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new ProtocolException(Status.BAD_REQUEST, "a header is not UTF-8");
        }
    }

    /** For messages about bytes that may be anything. */
    String printable(int token) {
        return printable(starts[token], ends[token]);
    }

    private String printable(int from, int to) {
        int shown = Math.min(to, from + 40);
        StringBuilder text = new StringBuilder();
        for (int i = from; i < shown; i++) {
            text.append(line[i] > ' ' && line[i] < 0x7F ? (char) line[i] : '?');
        }
        return shown < to ? text + "…" : text.toString();
    }
}
