package io.metaq.tck.transaction;

import java.io.IOException;
import java.io.Serial;
import java.io.Serializable;
import java.io.UncheckedIOException;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** A resource that stops before and after it prepares and commits. The coordinator's log has the resource alone. */
final class StoppingResource implements XAResource, Serializable {
    private static final long serialVersionUID = 1L;

    private final transient XAResource resource;
    private final transient Stops stops;
    private final transient boolean first;

    /** @param first whether the coordinator comes to it first */
    StoppingResource(XAResource resource, Stops stops, boolean first) {
        this.resource = resource;
        this.stops = stops;
        this.first = first;
    }

    @Serial
    private Object writeReplace() {
        return resource;
    }

    private void at(Point ofFirst, Point ofSecond) {
        try {
            stops.at(first ? ofFirst : ofSecond);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public int prepare(Xid xid) throws XAException {
        at(Point.BEFORE_PREPARE_1, Point.BEFORE_PREPARE_2);
        int vote = resource.prepare(xid);
        at(Point.AFTER_PREPARE_1, Point.AFTER_PREPARE_2);
        return vote;
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        at(Point.BEFORE_COMMIT_1, Point.BEFORE_COMMIT_2);
        resource.commit(xid, onePhase);
        at(Point.AFTER_COMMIT_1, Point.AFTER_COMMIT_2);
    }

    @Override
    public void rollback(Xid xid) throws XAException {
        resource.rollback(xid);
    }

    @Override
    public void forget(Xid xid) throws XAException {
        resource.forget(xid);
    }

    @Override
    public Xid[] recover(int flags) throws XAException {
        return resource.recover(flags);
    }

    @Override
    public void start(Xid xid, int flags) throws XAException {
        resource.start(xid, flags);
    }

    @Override
    public void end(Xid xid, int flags) throws XAException {
        resource.end(xid, flags);
    }

    @Override
    public boolean isSameRM(XAResource other) {
        return other == this;
    }

    @Override
    public int getTransactionTimeout() throws XAException {
        return resource.getTransactionTimeout();
    }

    @Override
    public boolean setTransactionTimeout(int seconds) throws XAException {
        return resource.setTransactionTimeout(seconds);
    }
}
