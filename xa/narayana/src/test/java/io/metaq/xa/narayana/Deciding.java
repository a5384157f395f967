package io.metaq.xa.narayana;

import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** A resource that agrees to everything; something happens when it is committed. */
final class Deciding implements XAResource {
    private final Runnable atCommit;

    Deciding(Runnable atCommit) {
        this.atCommit = atCommit;
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        atCommit.run();
    }

    @Override
    public int prepare(Xid xid) {
        return XA_OK;
    }

    @Override
    public void start(Xid xid, int flags) {}

    @Override
    public void end(Xid xid, int flags) {}

    @Override
    public void rollback(Xid xid) {}

    @Override
    public void forget(Xid xid) {}

    @Override
    public Xid[] recover(int flags) {
        return new Xid[0];
    }

    @Override
    public boolean isSameRM(XAResource other) {
        return other == this;
    }

    @Override
    public int getTransactionTimeout() {
        return 0;
    }

    @Override
    public boolean setTransactionTimeout(int seconds) {
        return false;
    }
}
