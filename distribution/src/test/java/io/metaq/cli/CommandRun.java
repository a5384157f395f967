package io.metaq.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** One command run in the test's own process, with what it wrote. */
record CommandRun(int exitCode, byte[] outBytes, String err) {

    static CommandRun of(String... arguments) {
        return withInput(new byte[0], arguments);
    }

    static CommandRun withInput(byte[] input, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Terminal terminal = new Terminal(
                new ByteArrayInputStream(input),
                new PrintStream(out, false, StandardCharsets.UTF_8),
                new PrintStream(err, false, StandardCharsets.UTF_8),
                false);
        int exitCode = Metaq.run(terminal, arguments);
        return new CommandRun(exitCode, out.toByteArray(), err.toString(StandardCharsets.UTF_8));
    }

    String out() {
        return new String(outBytes, StandardCharsets.UTF_8);
    }
}
