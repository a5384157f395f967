package io.metaq.client;

import java.nio.charset.StandardCharsets;

/** Turns topic and group names into file names. */
final class FileNames {

    private FileNames() {}

    /** Percent-encodes everything but ASCII letters, digits, {@code -}, {@code _} and inner dots. Injective. */
    static String safe(String name) {
        StringBuilder safe = new StringBuilder(name.length());
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if (isPlain(c) || (c == '.' && safe.length() > 0)) {
                safe.append(c);
            } else {
                safe.append(String.format("%%%02X", (int) c));
            }
        }
        return safe.toString();
    }

    private static boolean isPlain(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    }
}
