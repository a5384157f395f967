package io.metaq.state.dispatch;

import io.metaq.message.Selector;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The consumers that want the same messages, and how far the log has been looked through for them. */
final class SelectorClass {
    final @Nullable Selector selector;
    final List<Subscriber> members = new ArrayList<>();
    final List<Scan> scans = new ArrayList<>();

    /** Nothing is left that its consumers could have now. Set by a turn that found none. */
    boolean exhausted;

    private int next;
    private int nextScan;

    SelectorClass(@Nullable Selector selector) {
        this.selector = selector;
    }

    /** The next consumer in turn that takes messages now, or null. */
    @Nullable
    Subscriber nextReady() {
        int count = members.size();
        for (int i = 0; i < count; i++) {
            Subscriber candidate = members.get((next + i) % count);
            if (candidate.ready()) {
                next = (next + i) % count;
                return candidate;
            }
        }
        return null;
    }

    /** The consumer in turn got something. */
    void advance() {
        next++;
    }

    int readyCount() {
        int ready = 0;
        for (Subscriber member : members) {
            if (member.ready()) {
                ready++;
            }
        }
        return ready;
    }

    /** Whether anyone would take a message, if its connection had room. */
    boolean wants() {
        for (Subscriber member : members) {
            if (member.wants()) {
                return true;
            }
        }
        return false;
    }

    /** The next message to be stored must not wait for the mark. */
    void noteAhead() {
        for (Scan scan : scans) {
            if (scan.at >= scan.lane.end) {
                scan.lane.mark.reached(scan.at, scan.at);
            }
        }
    }

    /** A partition to begin with, each in turn. */
    int firstScan() {
        nextScan = scans.isEmpty() ? 0 : (nextScan + 1) % scans.size();
        return nextScan;
    }
}
