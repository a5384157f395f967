package io.metaq.log.journal;

/** Told once when the journal cannot go on; the broker leaves service then. Called by the thread that met the error. */
@FunctionalInterface
public interface FatalErrorListener {

    void journalFailed(Throwable cause);
}
