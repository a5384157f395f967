package io.metaq.jms.recovery;

import io.metaq.client.subscription.SubscriberListener;
import io.metaq.jms.failure.Deadline;
import io.metaq.jms.option.ConnectionOption;
import io.metaq.jms.option.ConnectionOptions;
import io.metaq.jms.transport.Transport;
import io.metaq.xa.Branch;
import io.metaq.xa.Contribution;
import io.metaq.xa.MetaqXaResource;
import io.metaq.xa.ResourceManager;
import io.metaq.xa.XaFailures;
import io.metaq.xa.XaSession;
import jakarta.jms.JMSException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;

/**
 * The connection by which this process recovers at one broker. However many resources a transaction manager makes of its log and never
 * closes, there is one connection for all of them: made by the first call, ended when there was none for {@value #IDLE_MS} ms.
 */
final class RecoveryLink {

    static final long IDLE_MS = 2000;

    /** For so long after a failed attempt no other is made: the many branches of a log must not wait for the same broker one by one. */
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** What is asked by the connection. */
    interface Question<T> {
        T ask(XAResource resource) throws XAException;
    }

    /** The connection is given up at the first failure of a call, and made again by the next. */
    private static final class Unconcerned implements SubscriberListener {
        @Override
        public void interrupted(RuntimeException cause) {
            // The call that is under way waits for the reconnect, or fails.
        }

        @Override
        public void resumed() {
            // As above.
        }

        @Override
        public void failed(RuntimeException cause) {
            // As above.
        }
    }

    /** Finishes branches, never works on one. */
    private record Finishing(ResourceManager manager) implements XaSession {
        @Override
        public Contribution contribute(Branch branch) {
            throw new IllegalStateException("a resource for recovery takes no work");
        }

        @Override
        public void enter(Contribution contribution) {
            throw new IllegalStateException("a resource for recovery takes no work");
        }

        @Override
        public void leave() {
            throw new IllegalStateException("a resource for recovery takes no work");
        }
    }

    private static final Map<ConnectionOptions, RecoveryLink> LINKS = new ConcurrentHashMap<>();
    private static final ScheduledThreadPoolExecutor CLOSER = closer();

    private final ConnectionOptions options;
    private @Nullable Transport transport;
    private long lastUsedNanos;
    private @Nullable JMSException lastFailure;
    private long lastFailureNanos;

    private RecoveryLink(ConnectionOptions options) {
        this.options = options;
    }

    static RecoveryLink to(ConnectionOptions options) {
        return LINKS.computeIfAbsent(options, RecoveryLink::new);
    }

    private static ScheduledThreadPoolExecutor closer() {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "metaq-recovery-closer");
            thread.setDaemon(true);
            return thread;
        });
        executor.setKeepAliveTime(1, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    /** How many connections there are; for tests. */
    static long open() {
        return LINKS.values().stream().filter(RecoveryLink::isOpen).count();
    }

    private synchronized boolean isOpen() {
        return transport != null;
    }

    /** @throws XAException XAER_RMFAIL when the broker is away: to be tried again later */
    synchronized <T> T call(Question<T> question) throws XAException {
        Transport opened = opened();
        try {
            return question.ask(new MetaqXaResource(new Finishing(opened.resourceManager()), false));
        } catch (XAException e) {
            if (e.errorCode == XAException.XAER_RMFAIL) {
                close();
            }
            throw e;
        } finally {
            lastUsedNanos = System.nanoTime();
        }
    }

    private Transport opened() throws XAException {
        Transport present = transport;
        if (present != null) {
            return present;
        }
        if (lastFailure != null && System.nanoTime() - lastFailureNanos < REST_NANOS) {
            throw away(lastFailure);
        }
        try {
            Transport made = Transport.open(
                    options,
                    options.text(ConnectionOption.USER),
                    options.text(ConnectionOption.PASSWORD),
                    new Unconcerned());
            transport = made;
            lastFailure = null;
            closeWhenIdle();
            return made;
        } catch (JMSException e) {
            lastFailure = e;
            lastFailureNanos = System.nanoTime();
            throw away(e);
        }
    }

    private static XAException away(JMSException failure) {
        return XaFailures.of(XAException.XAER_RMFAIL, String.valueOf(failure.getMessage()), failure);
    }

    private void closeWhenIdle() {
        var unused = CLOSER.schedule(this::closeIfIdle, IDLE_MS, TimeUnit.MILLISECONDS);
    }

    private synchronized void closeIfIdle() {
        if (transport == null) {
            return;
        }
        if (System.nanoTime() - lastUsedNanos < TimeUnit.MILLISECONDS.toNanos(IDLE_MS)) {
            closeWhenIdle();
        } else {
            close();
        }
    }

    private void close() {
        Transport present = transport;
        transport = null;
        if (present != null) {
            present.close(Deadline.in(options.number(ConnectionOption.CLOSE_TIMEOUT)));
        }
    }
}
