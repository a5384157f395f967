package io.metaq.state.dispatch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The messages of one partition that are out, by offset; no two runs overlap. */
final class LeaseTable {
    private final TreeMap<Long, LeaseRun> byFrom = new TreeMap<>();

    boolean isEmpty() {
        return byFrom.isEmpty();
    }

    List<LeaseRun> all() {
        return new ArrayList<>(byFrom.values());
    }

    void add(LeaseRun run) {
        byFrom.put(run.from(), run);
        if (run.holder != null) {
            run.holder.leases.add(run);
        }
    }

    void remove(LeaseRun run) {
        byFrom.remove(run.from(), run);
        if (run.holder != null) {
            run.holder.leases.remove(run);
        }
    }

    boolean contains(LeaseRun run) {
        return byFrom.get(run.from()) == run;
    }

    /** The run that has the byte at {@code offset}. */
    @Nullable
    LeaseRun covering(long offset) {
        Map.Entry<Long, LeaseRun> entry = byFrom.floorEntry(offset);
        return entry != null && entry.getValue().to() > offset ? entry.getValue() : null;
    }

    /** The run that has the byte at {@code offset}, or else the next one. */
    @Nullable
    LeaseRun atOrAfter(long offset) {
        LeaseRun covering = covering(offset);
        if (covering != null) {
            return covering;
        }
        Map.Entry<Long, LeaseRun> entry = byFrom.ceilingEntry(offset);
        return entry == null ? null : entry.getValue();
    }

    /** Makes messages {@code from} to {@code to} of a run one of their own; the others stay what they were. */
    LeaseRun split(LeaseRun run, int from, int to) {
        if (from == 0 && to == run.count()) {
            return run;
        }
        remove(run);
        if (from > 0) {
            add(run.part(0, from));
        }
        if (to < run.count()) {
            add(run.part(to, run.count()));
        }
        LeaseRun part = run.part(from, to);
        add(part);
        return part;
    }

    /** Changes who holds a run. */
    void hold(LeaseRun run, @Nullable Subscriber holder) {
        if (run.holder != null) {
            run.holder.leases.remove(run);
        }
        run.holder = holder;
        if (holder != null) {
            holder.leases.add(run);
        }
    }

    void clear() {
        for (LeaseRun run : byFrom.values()) {
            if (run.holder != null) {
                run.holder.leases.remove(run);
            }
        }
        byFrom.clear();
    }
}
