package io.metaq.cli;

/** A command that cannot do what it was asked; the message is the one line that a user sees, and says what to do. */
final class CommandFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    CommandFailedException(String message) {
        this(message, ExitCode.FAILED);
    }

    CommandFailedException(String message, int exitCode) {
        super(message);
        this.exitCode = exitCode;
    }

    CommandFailedException(String message, Throwable cause) {
        super(message, cause);
        this.exitCode = ExitCode.FAILED;
    }

    int exitCode() {
        return exitCode;
    }
}
