package io.metaq.xa;

import java.io.NotSerializableException;
import java.io.ObjectStreamException;
import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;

/**
 * The XAResource of a session. At most one branch is active in it; others may be suspended, and any branch of the broker can be completed
 * by it, whoever worked on it and whether that is still there.
 *
 * <p>Coordinators that write resources into their log, to finish by them after a crash, find there what was given for that.
 */
public final class MetaqXaResource implements XAResource, Serializable {

    private static final long serialVersionUID = 1L;

    private final transient XaSession session;
    private final transient @Nullable Serializable logged;
    private final boolean neverSame;
    private volatile int timeoutSeconds;
    private transient @Nullable Branch active;

    /** As the other, for one that is not to be logged. */
    public MetaqXaResource(XaSession session, boolean neverSame) {
        this(session, neverSame, null);
    }

    /**
     * @param neverSame whether {@link #isSameRM} says false to everybody else, for coordinators that must not join branches
     * @param logged the XAResource that stands for this one where it is serialized
     */
    public MetaqXaResource(XaSession session, boolean neverSame, @Nullable Serializable logged) {
        this.session = session;
        this.neverSame = neverSame;
        this.logged = logged;
    }

    @Serial
    private Object writeReplace() throws ObjectStreamException {
        if (logged == null) {
            throw new NotSerializableException(getClass().getName());
        }
        return logged;
    }

    private String manager() {
        return session.manager().id();
    }

    private Branch known(XidKey xid) throws XAException {
        Branch branch = Branches.find(manager(), xid);
        if (branch == null) {
            throw XaFailures.of(XAException.XAER_NOTA, "there is no branch " + xid);
        }
        return branch;
    }

    @Override
    public synchronized void start(@Nullable Xid given, int flags) throws XAException {
        XidKey xid = XidKey.of(given);
        if (active != null) {
            throw XaFailures.of(XAException.XAER_PROTO, "the session works on " + active.xid() + " already");
        }
        Branch branch;
        switch (flags) {
            case TMNOFLAGS -> {
                branch = Branches.begin(manager(), xid, timeoutSeconds);
                if (branch == null) {
                    throw XaFailures.of(XAException.XAER_DUPID, "there is a branch " + xid + " already");
                }
                branch.associate(this, session);
            }
            case TMJOIN -> {
                branch = known(xid);
                branch.associate(this, session);
            }
            case TMRESUME -> {
                branch = known(xid);
                branch.resume(this, session);
            }
            default -> throw XaFailures.of(XAException.XAER_INVAL, "start with flags " + flags);
        }
        active = branch;
    }

    @Override
    public synchronized void end(@Nullable Xid given, int flags) throws XAException {
        if (flags != TMSUCCESS && flags != TMFAIL && flags != TMSUSPEND) {
            throw XaFailures.of(XAException.XAER_INVAL, "end with flags " + flags);
        }
        Branch branch = known(XidKey.of(given));
        branch.dissociate(this, session, flags);
        if (branch == active) {
            active = null;
        }
    }

    @Override
    public int prepare(@Nullable Xid given) throws XAException {
        return known(XidKey.of(given)).prepare(session.manager(), System.nanoTime());
    }

    @Override
    public void commit(@Nullable Xid given, boolean onePhase) throws XAException {
        XidKey xid = XidKey.of(given);
        Branch branch = Branches.find(manager(), xid);
        if (branch != null) {
            branch.commit(session.manager(), onePhase, System.nanoTime());
        } else if (onePhase) {
            throw XaFailures.of(XAException.XAER_NOTA, "there is no branch " + xid);
        } else {
            session.manager().finish(xid.text(), ResourceManager.Step.COMMIT);
        }
    }

    @Override
    public void rollback(@Nullable Xid given) throws XAException {
        XidKey xid = XidKey.of(given);
        Branch branch = Branches.find(manager(), xid);
        if (branch != null) {
            branch.rollback(session.manager());
        } else {
            session.manager().finish(xid.text(), ResourceManager.Step.ROLLBACK);
        }
    }

    @Override
    public void forget(@Nullable Xid given) throws XAException {
        session.manager().finish(XidKey.of(given).text(), ResourceManager.Step.FORGET);
    }

    /** Everything at the scan's start, nothing at its end or in between: the broker's table fits into one answer. */
    @Override
    public Xid[] recover(int flags) throws XAException {
        if ((flags & ~(TMSTARTRSCAN | TMENDRSCAN)) != 0) {
            throw XaFailures.of(XAException.XAER_INVAL, "recover with flags " + flags);
        }
        if ((flags & TMSTARTRSCAN) == 0) {
            return new Xid[0];
        }
        List<Xid> found = new ArrayList<>();
        for (String key : session.manager().recover()) {
            Optional<XidKey> xid = XidKey.parse(key);
            xid.ifPresent(found::add);
        }
        return found.toArray(new Xid[0]);
    }

    /** Never throws; what is no resource of ours, or a wrapper around one, is not the same. */
    @Override
    public boolean isSameRM(@Nullable XAResource other) {
        if (other == this) {
            return true;
        }
        return !neverSame
                && other instanceof MetaqXaResource that
                && !that.neverSame
                && manager().equals(that.manager());
    }

    @Override
    public int getTransactionTimeout() {
        return timeoutSeconds;
    }

    /** For branches that begin later. @param seconds 0 for the broker's own limit */
    @Override
    public boolean setTransactionTimeout(int seconds) throws XAException {
        if (seconds < 0) {
            throw XaFailures.of(XAException.XAER_INVAL, "a timeout of " + seconds + " s");
        }
        timeoutSeconds = seconds;
        return true;
    }
}
