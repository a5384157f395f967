package io.metaq.protocol.codec;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * How values that hold spaces, control characters or percent signs stand in a token: the bytes of their UTF-8 form as {@code %XX}.
 * Everything else stands for itself, so a plus sign is a plus sign.
 */
public final class PercentCode {
    private PercentCode() {}

    public static String encode(String value) {
        StringBuilder out = new StringBuilder(value.length() + 8);
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c <= ' ' || c == '%' || c == 0x7F) {
                out.append('%').append(HexFormat.of().withUpperCase().toHexDigits((byte) c));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    /** @throws IllegalArgumentException if a percent sign is not followed by two hex digits */
    public static String decode(String value) {
        if (value.indexOf('%') < 0) {
            return value;
        }
        byte[] in = value.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream(in.length);
        for (int i = 0; i < in.length; i++) {
            if (in[i] != '%') {
                out.write(in[i]);
            } else if (i + 2 < in.length && HexFormat.isHexDigit(in[i + 1]) && HexFormat.isHexDigit(in[i + 2])) {
                out.write(HexFormat.fromHexDigit(in[++i]) << 4 | HexFormat.fromHexDigit(in[++i]));
            } else {
                throw new IllegalArgumentException("'" + value + "': % must be followed by two hex digits");
            }
        }
        return out.toString(StandardCharsets.UTF_8);
    }
}
