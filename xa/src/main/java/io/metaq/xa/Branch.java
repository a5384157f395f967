package io.metaq.xa;

import io.metaq.client.subscription.TransactionParts;
import io.metaq.xa.ResourceManager.Step;
import io.metaq.xa.ResourceManager.Then;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;

/**
 * A branch that sessions of this JVM work on, by the states of X/Open:
 *
 * <pre>
 * OPEN           (S1 while a resource is associated, S2 when none is)  → PREPARED, ROLLBACK_ONLY, gone
 * ROLLBACK_ONLY  (S4)                                                   → gone
 * PREPARED       (S3)                                                   → gone, or heuristically completed (S5) at the broker
 * UNKNOWN        committed in one phase, or not: no answer came         → gone
 * </pre>
 *
 * <p>A resource's association is active or suspended. The branch's own lock is held while it talks to the broker: a coordinator calls one
 * thing at a time of a branch, and whoever else does has to wait.
 */
public final class Branch {

    private enum State {
        OPEN,
        ROLLBACK_ONLY,
        PREPARED,
        UNKNOWN
    }

    private enum Association {
        ACTIVE,
        SUSPENDED
    }

    private final String manager;
    private final XidKey xid;
    private final int timeoutSeconds;
    private final long begunNanos;
    private final Map<XAResource, Association> associations = new HashMap<>();
    private final Map<XaSession, Contribution> contributions = new LinkedHashMap<>();
    private final Set<Contribution> sent = new HashSet<>();
    private State state = State.OPEN;

    Branch(String manager, XidKey xid, int timeoutSeconds, long nowNanos) {
        this.manager = manager;
        this.xid = xid;
        this.timeoutSeconds = timeoutSeconds;
        this.begunNanos = nowNanos;
    }

    String manager() {
        return manager;
    }

    /** Whose branch it is. */
    public XidKey xid() {
        return xid;
    }

    // ---- association

    synchronized void associate(XAResource resource, XaSession session) throws XAException {
        refuseUnlessOpen();
        if (associations.putIfAbsent(resource, Association.ACTIVE) != null) {
            throw XaFailures.of(XAException.XAER_PROTO, "the resource is in " + xid + " already");
        }
        session.enter(contributions.computeIfAbsent(session, key -> key.contribute(this)));
    }

    synchronized void resume(XAResource resource, XaSession session) throws XAException {
        refuseUnlessOpen();
        if (!associations.replace(resource, Association.SUSPENDED, Association.ACTIVE)) {
            throw XaFailures.of(XAException.XAER_PROTO, xid + " is not suspended in this resource");
        }
        session.enter(contributions.computeIfAbsent(session, key -> key.contribute(this)));
    }

    private void refuseUnlessOpen() throws XAException {
        if (state == State.ROLLBACK_ONLY) {
            throw XaFailures.of(XAException.XA_RBROLLBACK, xid + " can only be rolled back");
        }
        if (state != State.OPEN) {
            throw XaFailures.of(XAException.XAER_PROTO, xid + " is past its work");
        }
    }

    synchronized void dissociate(XAResource resource, XaSession session, int flags) throws XAException {
        Association present = associations.get(resource);
        if (present == null || present == Association.SUSPENDED && flags == XAResource.TMSUSPEND) {
            throw XaFailures.of(XAException.XAER_PROTO, "the resource is not in " + xid);
        }
        if (present == Association.ACTIVE) {
            session.leave();
        }
        if (flags == XAResource.TMSUSPEND) {
            associations.put(resource, Association.SUSPENDED);
            return;
        }
        associations.remove(resource);
        if (flags == XAResource.TMFAIL && state == State.OPEN) {
            state = State.ROLLBACK_ONLY;
        }
    }

    // ---- completion

    /** @return XA_OK, or XA_RDONLY when there was nothing to do: the branch is gone then */
    synchronized int prepare(ResourceManager by, long nowNanos) throws XAException {
        refuseWhileAssociated();
        refuseUnknown();
        if (state == State.PREPARED) {
            throw XaFailures.of(XAException.XAER_PROTO, xid + " is prepared already");
        }
        rollBackIfDoomed(by, nowNanos);
        int vote = complete(by, Then.PREPARE);
        if (vote == XAResource.XA_RDONLY) {
            gone(true);
        } else {
            state = State.PREPARED;
        }
        return vote;
    }

    synchronized void commit(ResourceManager by, boolean onePhase, long nowNanos) throws XAException {
        refuseWhileAssociated();
        refuseUnknown();
        if (onePhase == (state == State.PREPARED)) {
            throw XaFailures.of(
                    XAException.XAER_PROTO,
                    xid + (onePhase ? " is prepared: commit in two phases" : " is not prepared"));
        }
        if (onePhase) {
            rollBackIfDoomed(by, nowNanos);
            complete(by, Then.COMMIT);
        } else {
            finishPrepared(by, Step.COMMIT);
        }
        gone(true);
    }

    synchronized void rollback(ResourceManager by) throws XAException {
        refuseWhileAssociated();
        if (state == State.PREPARED || state == State.UNKNOWN) {
            finishPrepared(by, Step.ROLLBACK);
        } else {
            abandon(by);
        }
        gone(false);
    }

    /** A prepared branch that was decided by somebody else, or that the broker does not know any more, is not ours any longer. */
    private void finishPrepared(ResourceManager by, Step step) throws XAException {
        try {
            by.finish(xid.text(), step);
        } catch (XAException e) {
            if (XaFailures.isHeuristic(e.errorCode) || XaFailures.isRollback(e.errorCode) || isUnknown(e)) {
                // A commit whose answer was lost is a branch that the broker does not know any more: nothing to give
                // back.
                gone(e.errorCode == XAException.XA_HEURCOM || state == State.UNKNOWN);
            }
            throw e;
        }
    }

    /** Nothing that could be said of it would be known to be true. */
    private void refuseUnknown() throws XAException {
        if (state == State.UNKNOWN) {
            throw XaFailures.of(XAException.XAER_RMFAIL, "no answer came to the commit of " + xid);
        }
    }

    private void refuseWhileAssociated() throws XAException {
        if (!associations.isEmpty()) {
            throw XaFailures.of(XAException.XAER_PROTO, xid + " is still being worked on: end it first");
        }
    }

    private void rollBackIfDoomed(ResourceManager by, long nowNanos) throws XAException {
        boolean late = timeoutSeconds > 0 && nowNanos - begunNanos > TimeUnit.SECONDS.toNanos(timeoutSeconds);
        if (late || state == State.ROLLBACK_ONLY) {
            abandon(by);
            gone(false);
            throw XaFailures.of(
                    late ? XAException.XA_RBTIMEOUT : XAException.XA_RBROLLBACK,
                    xid + (late ? " took longer than " + timeoutSeconds + " s" : " could only be rolled back"));
        }
    }

    private record Waiting(Contribution contribution, TransactionParts parts) {}

    /** Sends what is not sent yet, the last part with what is to follow it. */
    private int complete(ResourceManager by, Then then) throws XAException {
        List<Waiting> waiting = contributions.values().stream()
                .map(contribution -> new Waiting(contribution, contribution.take()))
                .filter(entry -> !entry.parts.isEmpty())
                .toList();
        if (waiting.isEmpty() && sent.isEmpty()) {
            return XAResource.XA_RDONLY;
        }
        try {
            if (waiting.isEmpty()) {
                return by.enlist(xid.text(), then, new TransactionParts(), true, timeoutSeconds);
            }
            int last = waiting.size() - 1;
            for (Waiting entry : waiting.subList(0, last)) {
                enlist(entry.contribution, entry.parts, Then.NOTHING);
            }
            return enlist(waiting.get(last).contribution, waiting.get(last).parts, then);
        } catch (XAException e) {
            throw refused(by, then, e);
        }
    }

    private int enlist(Contribution contribution, TransactionParts parts, Then then) throws XAException {
        int vote = contribution.manager().enlist(xid.text(), then, parts, !sent.isEmpty(), timeoutSeconds);
        sent.add(contribution);
        return vote;
    }

    /** Where the broker refused, nothing of the branch is left there; where nobody knows, the coordinator asks again. */
    private XAException refused(ResourceManager by, Then then, XAException failure) throws XAException {
        if (failure.errorCode == XAException.XAER_RMFAIL || XaFailures.isHeuristic(failure.errorCode)) {
            // It may have arrived: a rollback must reach the broker, and must not be done here as well.
            sent.addAll(contributions.values());
            state = then == Then.COMMIT ? State.UNKNOWN : State.ROLLBACK_ONLY;
            return failure;
        }
        abandon(by);
        gone(false);
        return XaFailures.isRollback(failure.errorCode)
                ? failure
                : XaFailures.of(XAException.XA_RBROLLBACK, "rolled back: " + failure.getMessage(), failure);
    }

    /** Rolls back at the broker what it has of the branch; that it has nothing is as good. */
    private void abandon(ResourceManager by) throws XAException {
        if (sent.isEmpty()) {
            return;
        }
        try {
            by.finish(xid.text(), Step.ROLLBACK);
        } catch (XAException e) {
            if (!isUnknown(e) && !XaFailures.isRollback(e.errorCode)) {
                throw e;
            }
        }
    }

    private static boolean isUnknown(XAException failure) {
        return failure.errorCode == XAException.XAER_NOTA;
    }

    private void gone(boolean committed) {
        Branches.end(this);
        contributions.values().forEach(contribution -> {
            if (committed) {
                contribution.committed();
            } else {
                contribution.rolledBack(sent.contains(contribution));
            }
        });
        contributions.clear();
    }

    // ---- called by sessions

    /**
     * Sends ahead what a session has collected: because it is much, or because the session closes.
     *
     * @throws XAException when the broker refuses; the branch can only be rolled back then
     */
    public synchronized void sendAhead(Contribution contribution) throws XAException {
        if (state != State.OPEN || !contributions.containsValue(contribution)) {
            return;
        }
        TransactionParts parts = contribution.take();
        if (parts.isEmpty()) {
            return;
        }
        try {
            enlist(contribution, parts, Then.NOTHING);
        } catch (XAException e) {
            sent.add(contribution);
            state = State.ROLLBACK_ONLY;
            throw e;
        }
    }

    /** The connection of this session is closed: the broker rolls back what is not prepared. */
    public synchronized void lost() {
        if (state == State.OPEN) {
            state = State.ROLLBACK_ONLY;
        }
    }
}
