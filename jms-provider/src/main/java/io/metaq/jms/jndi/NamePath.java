package io.metaq.jms.jndi;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.naming.CompositeName;
import javax.naming.InvalidNameException;
import javax.naming.Name;

/** The parts of a composite name, without the empty ones that slashes at its ends make. */
record NamePath(List<String> parts) {
    NamePath() {
        this(List.of());
    }

    static NamePath of(String name) throws InvalidNameException {
        return of(new CompositeName(name));
    }

    static NamePath of(Name name) {
        List<String> parts = new ArrayList<>(Collections.list(name.getAll()));
        parts.removeIf(String::isEmpty);
        return new NamePath(List.copyOf(parts));
    }

    boolean isEmpty() {
        return parts.isEmpty();
    }

    String last() {
        return parts.get(parts.size() - 1);
    }

    NamePath parent() {
        return new NamePath(parts.subList(0, parts.size() - 1));
    }

    /** The parts from the given one on. */
    NamePath from(int index) {
        return new NamePath(parts.subList(index, parts.size()));
    }

    NamePath plus(NamePath more) {
        List<String> all = new ArrayList<>(parts);
        all.addAll(more.parts);
        return new NamePath(List.copyOf(all));
    }

    @Override
    public String toString() {
        return String.join("/", parts);
    }
}
