package io.metaq.tck.chaos;

import java.util.ArrayList;
import java.util.List;

/** What went wrong. One mistake makes thousands of faults: the first ones are kept, all are counted. */
final class Faults {
    private static final int KEPT = 40;

    private final List<String> kept = new ArrayList<>();
    private int count;

    synchronized void add(String fault) {
        if (count++ < KEPT) {
            kept.add(fault);
            System.err.println("chaos: " + fault);
        }
    }

    synchronized int count() {
        return count;
    }

    synchronized List<String> list() {
        List<String> all = new ArrayList<>(kept);
        if (count > kept.size()) {
            all.add("and %d more".formatted(count - kept.size()));
        }
        return all;
    }
}
