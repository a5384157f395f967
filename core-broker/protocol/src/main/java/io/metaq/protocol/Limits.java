package io.metaq.protocol;

/**
 * What a decoder accepts before it gives a connection up.
 *
 * @param maxLineBytes longest header line, its CR LF included
 * @param maxBodyBytes longest body
 */
public record Limits(int maxLineBytes, int maxBodyBytes) {
    public static final Limits DEFAULT = new Limits(16 * 1024, 16 * 1024 * 1024);

    public Limits {
        if (maxLineBytes < 128) {
            throw new IllegalArgumentException("maxLineBytes must be at least 128: " + maxLineBytes);
        }
        if (maxBodyBytes < 0) {
            throw new IllegalArgumentException("maxBodyBytes must not be negative: " + maxBodyBytes);
        }
    }
}
