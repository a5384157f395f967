package io.metaq.xa.narayana;

import java.io.Serializable;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** Takes part in a transaction, and ends the process at one of its steps. Read from a log it does nothing. */
final class Bomb implements XAResource, Serializable {
    private static final long serialVersionUID = 1L;

    /** Exit code of a process that came to that step. */
    static final int EXIT_CODE = 66;

    enum Step {
        PREPARE,
        COMMIT
    }

    private final transient Step step;

    Bomb(Step step) {
        this.step = step;
    }

    private void at(Step reached) {
        if (step == reached) {
            Runtime.getRuntime().halt(EXIT_CODE);
        }
    }

    @Override
    public int prepare(Xid xid) {
        at(Step.PREPARE);
        return XA_OK;
    }

    @Override
    public void commit(Xid xid, boolean onePhase) {
        at(Step.COMMIT);
    }

    @Override
    public void rollback(Xid xid) throws XAException {
        throw new XAException(XAException.XAER_NOTA);
    }

    @Override
    public Xid[] recover(int flags) {
        return new Xid[0];
    }

    @Override
    public void start(Xid xid, int flags) {
        // nothing is worked on
    }

    @Override
    public void end(Xid xid, int flags) {
        // nothing is worked on
    }

    @Override
    public void forget(Xid xid) {
        // nothing is kept
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
