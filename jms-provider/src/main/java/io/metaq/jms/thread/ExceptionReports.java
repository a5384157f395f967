package io.metaq.jms.thread;

import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells a connection's exception listener what no caller can be told. One call at a time, on a thread that does nothing else. */
public final class ExceptionReports {

    private static final Logger LOG = LoggerFactory.getLogger(ExceptionReports.class);

    private final Executor line;
    private volatile @Nullable ExceptionListener listener;

    public ExceptionReports(Executor line) {
        this.line = line;
    }

    public @Nullable ExceptionListener listener() {
        return listener;
    }

    public void setListener(@Nullable ExceptionListener newListener) {
        listener = newListener;
    }

    /** Returns at once. Without a listener the failure goes to the log. */
    public void report(JMSException failure) {
        ExceptionListener present = listener;
        if (present == null) {
            LOG.warn("{}", failure.getMessage(), failure);
        } else {
            line.execute(() -> present.onException(failure));
        }
    }
}
