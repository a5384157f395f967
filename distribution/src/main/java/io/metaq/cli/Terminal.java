package io.metaq.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Where a command reads from and writes to.
 *
 * @param in input of {@code produce}; bytes
 * @param out results; bytes or UTF-8 text
 * @param err what a person should see beside the results: progress, counts, errors
 * @param interactive whether a person watches {@code err}, so that a line may be redrawn
 */
public record Terminal(InputStream in, PrintStream out, PrintStream err, boolean interactive) {
    private static final int OUT_BUFFER = 64 * 1024;

    /** The process's own. {@code bin/metaq} says by metaq.terminal whether err is a terminal, which Java cannot find out. */
    public static Terminal ofProcess() {
        return new Terminal(
                System.in,
                utf8(FileDescriptor.out),
                new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
                Boolean.getBoolean("metaq.terminal"));
    }

    private static PrintStream utf8(FileDescriptor descriptor) {
        return new PrintStream(
                new BufferedOutputStream(new FileOutputStream(descriptor), OUT_BUFFER), false, StandardCharsets.UTF_8);
    }

    void print(String format, Object... values) {
        out.printf(Locale.ROOT, format + "%n", values);
    }

    void tell(String format, Object... values) {
        err.printf(Locale.ROOT, format + "%n", values);
    }

    /** Whether the reader of the results has gone, as {@code head} does when it has seen enough. */
    boolean outClosed() {
        return out.checkError();
    }
}
