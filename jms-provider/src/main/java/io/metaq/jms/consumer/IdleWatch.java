package io.metaq.jms.consumer;

import io.metaq.jms.thread.ConnectionTimer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** Looks after the consumers of one connection that hold messages which nobody receives. Looks only while there are any. */
public final class IdleWatch {

    private static final long PERIOD_MS = 100;

    private final ConnectionTimer timer;
    private final Set<Intake> watched = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean scheduled = new AtomicBoolean();

    public IdleWatch(ConnectionTimer timer) {
        this.timer = timer;
    }

    void watch(Intake intake) {
        if (watched.add(intake)) {
            schedule();
        }
    }

    private void schedule() {
        if (scheduled.compareAndSet(false, true)) {
            timer.after(PERIOD_MS, this::look);
        }
    }

    private void look() {
        scheduled.set(false);
        long now = System.nanoTime();
        for (Intake intake : watched) {
            // Taken out before the look: one that begins to hold something during it puts itself in again.
            watched.remove(intake);
            if (!intake.giveBackWhenIdle(now)) {
                watched.add(intake);
            }
        }
        if (!watched.isEmpty()) {
            schedule();
        }
    }
}
