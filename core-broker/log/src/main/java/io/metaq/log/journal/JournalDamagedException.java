package io.metaq.log.journal;

import java.io.IOException;
import java.nio.file.Path;

/** Records that were promised to be durable cannot be read. Starting anyway would lose them without a word. */
public final class JournalDamagedException extends IOException {

    private static final long serialVersionUID = 1L;

    private final transient Path file;
    private final long filePosition;
    private final long journalPosition;

    public JournalDamagedException(Path file, long filePosition, long journalPosition, String what) {
        super(file + ": " + what + " at byte " + filePosition + " (journal position " + journalPosition
                + "). Nothing was changed. `metaq log verify` shows the extent; `metaq log salvage` moves the damaged"
                + " range to the attic and lists what is lost, after which the broker starts");
        this.file = file;
        this.filePosition = filePosition;
        this.journalPosition = journalPosition;
    }

    public Path file() {
        return file;
    }

    /** Where in the file the damage begins, in bytes. */
    public long filePosition() {
        return filePosition;
    }

    /** Where in the journal the damage begins. */
    public long journalPosition() {
        return journalPosition;
    }
}
