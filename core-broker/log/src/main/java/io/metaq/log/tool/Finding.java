package io.metaq.log.tool;

import java.nio.file.Path;

/**
 * Something that is wrong with a file.
 *
 * @param file which
 * @param position where in it, in bytes
 * @param length how many bytes are affected
 * @param what what it is and what it means, one line
 */
public record Finding(Path file, long position, long length, String what) {

    @Override
    public String toString() {
        return file + ": byte " + position + ", " + length + " bytes: " + what;
    }
}
