package io.metaq.broker.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Keeps passwords out of what clients and logs get to see of a configuration file. */
final class Secrets {
    static final String MASK = "***";

    private static final Pattern LINE = Pattern.compile("(?m)^([ \\t]*(?:"
            + Settings.system().stream()
                    .filter(Setting::secret)
                    .map(Setting::name)
                    .collect(Collectors.joining("|"))
            // A backslash at the end of a line goes on with the next one.
            + ")[ \\t]*[=:])(?:[^\\r\\n]*\\\\\\r?\\n)*[^\\r\\n]*");

    private Secrets() {}

    /** A copy of the file with the values of secret keys replaced; all other bytes, of whatever character set, as they are. */
    static byte[] masked(byte[] file) {
        return LINE.matcher(new String(file, ISO_8859_1))
                .replaceAll("$1" + MASK)
                .getBytes(ISO_8859_1);
    }
}
