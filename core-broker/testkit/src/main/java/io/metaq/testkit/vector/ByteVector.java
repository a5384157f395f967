package io.metaq.testkit.vector;

import java.util.List;
import java.util.Set;

/**
 * One conversation on a connection of its own.
 *
 * @param file name of the file it stands in
 * @param line where it begins there
 * @param title what it shows
 * @param meaning prose for readers
 */
public record ByteVector(
        String file, int line, String title, String meaning, List<Exchange> exchanges, Set<Mark> marks) {

    /** What a vector says beyond its bytes. */
    public enum Mark {
        /** The last bytes are no frame, or one over a limit: decoders refuse them and the broker closes the connection. */
        MALFORMED,
        /** The broker closes the connection in the end. */
        CLOSED,
        /** Ends in the middle of a frame: the broker waits. */
        INCOMPLETE,
        /** Means the same as other bytes, which are what an encoder writes. */
        LENIENT,
        /** Only for codecs: there is no broker to play it against. */
        CODEC
    }

    /**
     * Bytes to the broker, then what must come back. Replies of one exchange may come in any order.
     *
     * @param sent pieces that are to arrive apart
     * @param expected one template per reply
     */
    public record Exchange(List<Template> sent, List<Template> expected) {}

    public boolean is(Mark mark) {
        return marks.contains(mark);
    }

    @Override
    public String toString() {
        return file + ":" + line + " " + title;
    }
}
