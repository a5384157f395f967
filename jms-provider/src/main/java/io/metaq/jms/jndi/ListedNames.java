package io.metaq.jms.jndi;

import java.util.Iterator;
import java.util.List;
import javax.naming.NamingEnumeration;

/** The names that a context had when it was listed. */
final class ListedNames<T> implements NamingEnumeration<T> {
    private final Iterator<T> names;

    ListedNames(List<T> names) {
        this.names = List.copyOf(names).iterator();
    }

    @Override
    public boolean hasMore() {
        return names.hasNext();
    }

    @Override
    public boolean hasMoreElements() {
        return names.hasNext();
    }

    @Override
    public T next() {
        return names.next();
    }

    @Override
    public T nextElement() {
        return names.next();
    }

    @Override
    public void close() {}
}
