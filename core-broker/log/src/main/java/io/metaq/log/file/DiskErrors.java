package io.metaq.log.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/** Tells a full disk from a broken one: the JDK gives both as an IOException that differs in its text only. */
final class DiskErrors {

    private DiskErrors() {}

    static IOException classify(IOException error, Path path) {
        String text = String.valueOf(error.getMessage()).toLowerCase(Locale.ROOT);
        boolean full = text.contains("no space left")
                || text.contains("not enough space")
                || text.contains("quota exceeded")
                || text.contains("file too large");
        return full ? new StorageFullException(path + ": " + error.getMessage(), error) : error;
    }
}
