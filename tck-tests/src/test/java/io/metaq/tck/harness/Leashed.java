package io.metaq.tck.harness;

import java.io.IOException;
import java.util.Arrays;

/** Runs another main, and ends the process at once when standard input ends: so no child outlives its test. */
public final class Leashed {
    private Leashed() {}

    public static void main(String[] arguments) throws Exception {
        var leash = new Thread(Leashed::haltAtEndOfInput, "leash");
        leash.setDaemon(true);
        leash.start();
        Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, (Object)
                Arrays.copyOfRange(arguments, 1, arguments.length));
    }

    private static void haltAtEndOfInput() {
        try {
            while (System.in.read() >= 0) {
                Thread.onSpinWait();
            }
        } catch (IOException e) {
            System.err.println("standard input failed: " + e.getMessage());
        }
        Runtime.getRuntime().halt(3);
    }
}
