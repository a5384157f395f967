package io.metaq.jms.session;

import io.metaq.client.subscription.Delivery;
import io.metaq.jms.consumer.Gate;
import io.metaq.jms.consumer.Intake;
import io.metaq.jms.failure.Deadline;
import jakarta.jms.MessageListener;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that calls the listeners of a session, one message at a time, consumers in turn. Started by the first listener, ended
 * by the session's close. All state is guarded by the session's gate.
 */
final class ListenerThread {

    /** Runs a listener with a message, and settles the message. Must not throw. */
    @FunctionalInterface
    interface Delivering {
        void deliver(Intake intake, Delivery delivery, MessageListener listener);
    }

    private final Gate gate;
    private final String name;
    private final Delivering delivering;
    private final Map<Intake, MessageListener> listeners = new HashMap<>();
    private final Set<Intake> ready = new LinkedHashSet<>();
    private @Nullable Thread thread;
    private @Nullable Thread caller;
    private @Nullable Intake current;

    ListenerThread(Gate gate, String name, Delivering delivering) {
        this.gate = gate;
        this.name = name;
        this.delivering = delivering;
    }

    /** Calls this listener with what comes to the consumer; null: no listener any more. */
    void listen(Intake intake, @Nullable MessageListener listener) {
        gate.lock();
        try {
            if (listener == null) {
                listeners.remove(intake);
                return;
            }
            listeners.put(intake, listener);
            if (thread == null && !gate.isClosed()) {
                thread = new Thread(this::run, name);
                thread.setDaemon(true);
                thread.start();
            }
            if (intake.hasWaiting()) {
                ready(intake);
            }
        } finally {
            gate.unlock();
        }
    }

    /** Something waits in the consumer. With the gate held. */
    void ready(Intake intake) {
        if (listeners.containsKey(intake)) {
            ready.add(intake);
            gate.signal();
        }
    }

    /** Whether any consumer has a listener. */
    boolean hasListeners() {
        gate.lock();
        try {
            return !listeners.isEmpty();
        } finally {
            gate.unlock();
        }
    }

    private void run() {
        gate.lock();
        try {
            while (!gate.isClosed()) {
                Intake intake = gate.isOpen() ? nextReady() : null;
                if (intake == null) {
                    gate.awaitCalmly();
                } else {
                    deliverNext(intake);
                }
            }
        } finally {
            gate.unlock();
        }
    }

    private @Nullable Intake nextReady() {
        Iterator<Intake> turn = ready.iterator();
        if (!turn.hasNext()) {
            return null;
        }
        Intake next = turn.next();
        turn.remove();
        return next;
    }

    private void deliverNext(Intake intake) {
        MessageListener listener = listeners.get(intake);
        Delivery next = listener == null || intake.isClosing() ? null : intake.nextUnexpired();
        if (next == null || listener == null) {
            return;
        }
        call(intake, () -> delivering.deliver(intake, next, listener));
        if (intake.hasWaiting()) {
            ready(intake);
        }
    }

    private void call(@Nullable Intake intake, Runnable task) {
        caller = Thread.currentThread();
        current = intake;
        gate.unlock();
        try {
            task.run();
        } finally {
            gate.lock();
            caller = null;
            current = null;
            gate.signal();
        }
    }

    /** Runs a task that calls listeners on the present thread, which counts as the session's thread meanwhile. */
    void runHere(Runnable task) {
        gate.lock();
        try {
            call(null, task);
        } finally {
            gate.unlock();
        }
    }

    /** Whether the present thread is within a listener of the session. */
    boolean isCaller() {
        gate.lock();
        try {
            return caller == Thread.currentThread();
        } finally {
            gate.unlock();
        }
    }

    /** Waits until no listener runs, unless called by one. @return false if the time was too short */
    boolean awaitIdle(Deadline deadline) {
        return awaitIdle(null, deadline);
    }

    /** Waits until the listener of this consumer does not run; null: none at all. */
    boolean awaitIdle(@Nullable Intake intake, Deadline deadline) {
        boolean interrupted = false;
        gate.lock();
        try {
            while (isBusy(intake) && !deadline.hasPassed()) {
                try {
                    gate.await(deadline.nanosLeft());
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return !isBusy(intake);
        } finally {
            gate.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean isBusy(@Nullable Intake intake) {
        return caller != null && caller != Thread.currentThread() && (intake == null || current == intake);
    }

    /** Whether the thread has ended. The gate must be closed before. @return false if the time was too short */
    boolean awaitEnd(Deadline deadline) {
        Thread ending;
        gate.lock();
        ending = thread;
        gate.unlock();
        if (ending == null || ending == Thread.currentThread()) {
            return true;
        }
        return deadline.join(ending);
    }
}
