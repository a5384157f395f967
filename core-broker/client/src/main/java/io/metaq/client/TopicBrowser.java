package io.metaq.client;

import java.util.Iterator;

/**
 * Iterates the retained messages of a topic over all partitions, one partition after the other, up to the end that each partition
 * had when the browser reached it. Reads nothing on behalf of a group, stores nothing. Not for use by several threads at once.
 */
public interface TopicBrowser extends Iterator<Message>, Iterable<Message>, AutoCloseable {

    /** @throws MetaqException when a partition cannot be read */
    @Override
    boolean hasNext();

    @Override
    Message next();

    /** This browser itself: it can be iterated once. */
    @Override
    default Iterator<Message> iterator() {
        return this;
    }

    @Override
    void close();
}
