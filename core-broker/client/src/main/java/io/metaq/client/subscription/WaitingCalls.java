package io.metaq.client.subscription;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The calls that wait for a connection, in their order. Belongs to the loop. */
final class WaitingCalls {
    private final Set<Call> calls = new LinkedHashSet<>();

    void add(Call call) {
        calls.add(call);
    }

    /** Whether it waited. */
    boolean remove(Call call) {
        return calls.remove(call);
    }

    List<Call> takeAll() {
        List<Call> all = new ArrayList<>(calls);
        calls.clear();
        return all;
    }
}
