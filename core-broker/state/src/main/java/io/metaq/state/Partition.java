package io.metaq.state;

import io.metaq.log.partition.MessageLog;
import io.metaq.log.partition.PartitionLog;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A partition: its log, whether it takes and gives messages, and who waits for the next one. */
public final class Partition {
    private final PartitionName name;
    private final MessageLog log;
    private final ScheduledIndex scheduled = new ScheduledIndex();
    private volatile boolean publishOpen = true;
    private volatile boolean subscribeOpen = true;
    private volatile @Nullable List<Runnable> waiting;
    private boolean dirty;

    Partition(PartitionName name, MessageLog log) {
        this.name = name;
        this.log = log;
    }

    public PartitionName name() {
        return name;
    }

    public MessageLog log() {
        return log;
    }

    /**
     * The log with what only files have.
     *
     * @throws ClassCastException for a partition of a temporary topic, which has none
     */
    public PartitionLog files() {
        return (PartitionLog) log;
    }

    /** The messages that are not delivered in the order of the log. */
    public ScheduledIndex scheduled() {
        return scheduled;
    }

    /** Whether the partition takes messages. */
    public boolean publishOpen() {
        return publishOpen;
    }

    /** Whether the partition gives messages. */
    public boolean subscribeOpen() {
        return subscribeOpen;
    }

    void gate(boolean publish, boolean subscribe, boolean open) {
        if (publish) {
            publishOpen = open;
        }
        if (subscribe) {
            subscribeOpen = open;
            wake();
        }
    }

    /**
     * Runs {@code action} once, when the readable end next moves or the partition goes: on the thread that moves it, or
     * at once on this one if the end is past {@code knownEnd} already.
     */
    public void onAdvance(long knownEnd, Runnable action) {
        synchronized (this) {
            List<Runnable> list = waiting;
            if (list == null) {
                list = new ArrayList<>(2);
                waiting = list;
            }
            list.add(action);
        }
        // The end may have moved between the caller's look and its joining the list.
        if (log.endOffset() > knownEnd) {
            wake();
        }
    }

    /** Takes back what {@link #onAdvance} put in, if it has not run. */
    public void forget(Runnable action) {
        synchronized (this) {
            List<Runnable> list = waiting;
            if (list != null) {
                list.remove(action);
                if (list.isEmpty()) {
                    waiting = null;
                }
            }
        }
    }

    void wake() {
        if (waiting == null) {
            return;
        }
        List<Runnable> woken;
        synchronized (this) {
            woken = waiting;
            waiting = null;
        }
        if (woken != null) {
            woken.forEach(Runnable::run);
        }
    }

    /** Marks that the current batch appended here; true if it is the first time. Writer thread. */
    boolean markDirty() {
        boolean first = !dirty;
        dirty = true;
        return first;
    }

    void clean() {
        dirty = false;
    }
}
