package io.metaq.cli;

/** What the process's exit code says; documented in docs/command-line.md. */
final class ExitCode {
    static final int OK = 0;
    /** What was asked for did not happen, or not all of it. */
    static final int FAILED = 1;
    /** The command line itself is wrong. */
    static final int USAGE = 2;
    /** {@code status}, {@code stop}: no broker is running. */
    static final int NOT_RUNNING = 3;

    private ExitCode() {}
}
