package io.metaq.state.subscription;

import io.metaq.log.partition.MessageLog;
import java.io.IOException;
import java.util.Arrays;

/** A named cursor over a topic, shared by any number of consumers. Read by any thread. */
public final class Subscription {
    private final int id;
    private final SubscriptionInfo info;
    private volatile Cursor[] cursors = new Cursor[0];
    private volatile boolean paused;
    private volatile boolean gone;

    Subscription(int id, SubscriptionInfo info) {
        this.id = id;
        this.info = info;
    }

    /**
     * A subscription that is not journalled: for a consumer that leaves no trace, and for a temporary destination. Its
     * owner changes its cursors, from one thread.
     *
     * @param logs the topic's partitions
     */
    public static Subscription transientOf(SubscriptionInfo info, MessageLog[] logs, Start start) throws IOException {
        Subscription made = new Subscription(0, info);
        for (MessageLog log : logs) {
            made.grow(log, start);
        }
        return made;
    }

    /** Number of the subscription: never used again, not even for one of the same name; 0 for a transient one. */
    public int id() {
        return id;
    }

    public SubscriptionInfo info() {
        return info;
    }

    public boolean isTransient() {
        return id == 0;
    }

    public int partitionCount() {
        return cursors.length;
    }

    /** The cursor of a partition of the topic. */
    public Cursor cursor(int partition) {
        return cursors[partition];
    }

    /** Whether an operator holds deliveries back. */
    public boolean paused() {
        return paused;
    }

    /** Whether it was deleted, or its topic was. */
    public boolean gone() {
        return gone;
    }

    /** Messages that are not acknowledged, over all partitions; never negative. */
    public long depth() {
        long depth = 0;
        for (Cursor cursor : cursors) {
            depth += cursor.depth();
        }
        return depth;
    }

    /** Adds the cursor of the topic's next partition. Called for the topic, by the thread that makes it grow. */
    public Cursor grow(MessageLog log, Start start) throws IOException {
        Cursor[] more = Arrays.copyOf(cursors, cursors.length + 1);
        Cursor cursor = new Cursor(log, id != 0);
        more[cursors.length] = cursor;
        place(cursor, cursors.length, start);
        cursors = more;
        return cursor;
    }

    private void place(Cursor cursor, int partition, Start start) throws IOException {
        MessageLog log = cursor.log();
        switch (start.where()) {
            case FIRST -> cursor.reset(log.startOffset(), log.appendedMessages() - log.messageCount());
            case LAST -> {
                if (id == 0) {
                    MessageLog.End end = log.end();
                    cursor.reset(end.offset(), end.messages());
                } else {
                    cursor.reset(log.stagedEndOffset(), log.stagedMessages());
                }
            }
            case AT -> {
                for (Start.Position position : start.positions()) {
                    if (position.partition() == partition) {
                        cursor.reset(position.offset(), position.messagesBefore());
                    }
                }
            }
        }
    }

    void move(Start to) throws IOException {
        for (int i = 0; i < cursors.length; i++) {
            place(cursors[i], i, to);
        }
    }

    void pause(boolean now) {
        paused = now;
    }

    /** It was deleted, or its topic was. */
    public void end() {
        gone = true;
    }
}
