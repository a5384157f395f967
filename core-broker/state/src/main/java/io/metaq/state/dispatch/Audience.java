package io.metaq.state.dispatch;

import io.metaq.message.Selector;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Who is attached to a dispatch, by what they want, and which of them has which group. */
final class Audience {
    final Set<Subscriber> subscribers = new LinkedHashSet<>();
    final List<SelectorClass> classes = new ArrayList<>();
    final Groups groups = new Groups();
    final Browsers browsers;

    /** Those that left and had groups that are free now. */
    private final Set<Subscriber> freeing = new LinkedHashSet<>();

    Audience(Browsers browsers) {
        this.browsers = browsers;
    }

    Subscriber attach(Recipient recipient, @Nullable Selector selector, List<Lane> lanes, long nowMs) {
        SelectorClass itsClass = classOf(selector, lanes, nowMs);
        Subscriber attached = new Subscriber(recipient, itsClass, null);
        itsClass.members.add(attached);
        subscribers.add(attached);
        return attached;
    }

    Subscriber browse(Recipient recipient, @Nullable Selector selector, BrowseWalk walk) {
        Subscriber browser = new Subscriber(recipient, new SelectorClass(selector), walk);
        subscribers.add(browser);
        browsers.add(browser);
        return browser;
    }

    private SelectorClass classOf(@Nullable Selector selector, List<Lane> lanes, long nowMs) {
        for (SelectorClass known : classes) {
            if (Objects.equals(known.selector, selector)) {
                return known;
            }
        }
        SelectorClass added = new SelectorClass(selector);
        for (Lane lane : lanes) {
            added.scans.add(lane.newScan(nowMs));
        }
        classes.add(added);
        return added;
    }

    /** One that has nothing any more has left. Groups of which something is on its way out are free when that has ended. */
    void leave(Subscriber gone) {
        gone.attached = false;
        subscribers.remove(gone);
        browsers.remove(gone);
        SelectorClass itsClass = gone.selectorClass;
        itsClass.members.remove(gone);
        if (itsClass.members.isEmpty()) {
            classes.remove(itsClass);
        }
        groups.forget(gone);
        freeing.add(gone);
    }

    /** Messages of a lease are no longer out. */
    void back(LeaseRun run) {
        Subscriber gone = groups.back(run.group, run.count());
        if (gone != null) {
            freeing.add(gone);
        }
    }

    /** What was kept for consumers that left, and what was passed over because of them, is there for the others. */
    void freeGroups(long nowMs) {
        freeing.forEach(gone -> freeGroups(gone, nowMs));
        freeing.clear();
    }

    private void freeGroups(Subscriber gone, long nowMs) {
        for (SelectorClass each : classes) {
            for (Scan scan : each.scans) {
                if (each == gone.selectorClass) {
                    for (Long offset : gone.parked.getOrDefault(scan.lane.number, new TreeSet<>())) {
                        scan.ready.insert(scan.lane.priority(offset), offset);
                    }
                    Long overflow = gone.overflow.get(scan.lane.number);
                    if (overflow != null) {
                        scan.rewind(overflow);
                        scan.lane.fill(scan, nowMs);
                    }
                } else if (scan.foreignGroupAt != Long.MAX_VALUE) {
                    scan.rewind(scan.foreignGroupAt);
                    scan.foreignGroupAt = Long.MAX_VALUE;
                    scan.lane.fill(scan, nowMs);
                }
            }
        }
        gone.forgetParked();
    }

    /** Whether anyone would take a message, if its connection had room. */
    boolean wants() {
        for (SelectorClass each : classes) {
            if (each.wants()) {
                return true;
            }
        }
        return false;
    }

    List<Scan> scansOf(Lane lane) {
        List<Scan> scans = new ArrayList<>(classes.size());
        for (SelectorClass each : classes) {
            scans.add(each.scans.get(lane.number));
        }
        return scans;
    }

    /** The partitions are looked at anew, and nobody has anything. */
    void forgetMessages() {
        groups.clear();
        freeing.clear();
        classes.forEach(each -> each.scans.clear());
        for (Subscriber subscriber : subscribers) {
            subscriber.leases.clear();
            subscriber.forgetParked();
        }
    }

    /** Everyone has to go. */
    void end(String reason) {
        for (Subscriber subscriber : List.copyOf(subscribers)) {
            subscriber.attached = false;
            subscriber.endDrain();
            subscriber.recipient.detached(reason);
        }
        subscribers.clear();
        classes.clear();
    }
}
