package io.metaq.cli;

import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Objects;

/** Says what is the matter with a file; the exceptions of the JDK give no more than its name. */
final class FileProblem {
    private FileProblem() {}

    static String describe(Throwable failure) {
        Throwable cause = failure instanceof UncheckedIOException unchecked && unchecked.getCause() != null
                ? unchecked.getCause()
                : failure;
        if (cause instanceof NoSuchFileException missing) {
            return "there is no file " + missing.getFile();
        }
        if (cause instanceof AccessDeniedException denied) {
            return "no permission for " + denied.getFile();
        }
        return Objects.requireNonNullElse(cause.getMessage(), cause.toString());
    }
}
