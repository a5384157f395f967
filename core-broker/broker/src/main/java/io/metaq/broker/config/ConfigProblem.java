package io.metaq.broker.config;

/**
 * One mistake in a configuration, or one key that has no effect; {@link #toString} is the one line a user sees.
 *
 * @param fatal whether the broker refuses to start with it
 * @param where file and line, as {@code server.ini:12}; the file alone where no line is to blame
 * @param section as written, without brackets; empty for the file as a whole
 * @param key empty if the section is to blame
 * @param text what is wrong and what would be right
 */
public record ConfigProblem(boolean fatal, String where, String section, String key, String text) {

    @Override
    public String toString() {
        StringBuilder line = new StringBuilder(where).append(": ");
        if (!section.isEmpty()) {
            line.append('[').append(section).append("] ");
        }
        if (!key.isEmpty()) {
            line.append(key).append(": ");
        }
        return line.append(text).toString();
    }
}
