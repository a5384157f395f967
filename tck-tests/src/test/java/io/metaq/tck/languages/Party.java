package io.metaq.tck.languages;

import java.util.List;

/** A way to use MetaQ: a language with its client. */
interface Party extends AutoCloseable {
    /** Sends messages to a queue, and returns when they are stored. */
    void send(String queue, List<Described> messages) throws Exception;

    /** The next messages of a queue, in any order; fewer than {@code count} if no more come within seconds. */
    List<Described> receive(String queue, int count) throws Exception;

    @Override
    void close() throws Exception;
}
