package io.metaq.jms.recovery;

import io.metaq.jms.option.ConnectionOption;
import io.metaq.jms.option.ConnectionOptions;
import io.metaq.jms.uri.ConnectionUri;
import io.metaq.xa.XaFailures;
import java.io.Serializable;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;

/**
 * Finishes branches, in whatever process: knows where the brokers are and connects when it is asked something. It is what a transaction
 * manager that logs resources finds in its log, and what it asks for branches in doubt. There is nothing to close. While a broker is
 * away, calls fail with XAER_RMFAIL, which says that nothing is known and that they are to be tried again.
 *
 * <p>Several brokers may be behind it: {@link #recover} tells of the branches of all; the one that has a branch finishes it. It holds no
 * passwords: those that this process was given for the same user and brokers are used.
 */
public final class ReconnectingXaResource implements XAResource, Serializable {

    private static final long serialVersionUID = 1L;

    private final String uri;

    private ReconnectingXaResource(ConnectionOptions options) {
        Secrets.remember(options);
        // The client identifier is that of the application's own connection, which may be there.
        uri = ConnectionUri.format(Secrets.without(options).with(ConnectionOption.CLIENT_ID, null));
    }

    /** For all the brokers of these options. */
    public static ReconnectingXaResource of(ConnectionOptions options) {
        return new ReconnectingXaResource(options);
    }

    /** One for each broker, so that one that is away does not keep the others from being recovered. */
    public static List<ReconnectingXaResource> forEachBroker(ConnectionOptions options) {
        Secrets.remember(options);
        return each(options).stream().map(ReconnectingXaResource::new).toList();
    }

    private static List<ConnectionOptions> each(ConnectionOptions options) {
        if ("zookeeper".equals(options.text(ConnectionOption.LOOKUP))) {
            return List.of(options);
        }
        return Arrays.stream(options.addresses().split(",", -1))
                .map(address -> new ConnectionOptions(address, options.secure(), options.values()))
                .toList();
    }

    private List<RecoveryLink> links() {
        return each(Secrets.added(ConnectionUri.parse(uri))).stream()
                .map(RecoveryLink::to)
                .toList();
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        finish(xid, resource -> {
            resource.commit(xid, onePhase);
            return xid;
        });
    }

    @Override
    public void rollback(Xid xid) throws XAException {
        finish(xid, resource -> {
            resource.rollback(xid);
            return xid;
        });
    }

    @Override
    public void forget(Xid xid) throws XAException {
        finish(xid, resource -> {
            resource.forget(xid);
            return xid;
        });
    }

    /** Asks one broker after the other until one has the branch. That none has it is only known when all have answered. */
    private void finish(Xid xid, RecoveryLink.Question<Xid> step) throws XAException {
        XAException away = null;
        for (RecoveryLink link : links()) {
            try {
                link.call(step);
                return;
            } catch (XAException e) {
                if (e.errorCode == XAException.XAER_RMFAIL) {
                    away = e;
                } else if (e.errorCode != XAException.XAER_NOTA) {
                    throw e;
                }
            }
        }
        throw away != null ? away : XaFailures.of(XAException.XAER_NOTA, "there is no branch " + xid + " at " + uri);
    }

    @Override
    public Xid[] recover(int flags) throws XAException {
        if ((flags & ~(TMSTARTRSCAN | TMENDRSCAN)) != 0) {
            throw XaFailures.of(XAException.XAER_INVAL, "recover with flags " + flags);
        }
        Set<Xid> found = new LinkedHashSet<>();
        if ((flags & TMSTARTRSCAN) != 0) {
            for (RecoveryLink link : links()) {
                found.addAll(Arrays.asList(link.call(resource -> resource.recover(flags))));
            }
        }
        return found.toArray(new Xid[0]);
    }

    @Override
    public void start(Xid xid, int flags) throws XAException {
        throw finishesOnly();
    }

    @Override
    public void end(Xid xid, int flags) throws XAException {
        throw finishesOnly();
    }

    @Override
    public int prepare(Xid xid) throws XAException {
        throw finishesOnly();
    }

    private static XAException finishesOnly() {
        return XaFailures.of(XAException.XAER_PROTO, "this resource finishes branches, and takes no work");
    }

    @Override
    public int getTransactionTimeout() {
        return 0;
    }

    @Override
    public boolean setTransactionTimeout(int seconds) {
        return false;
    }

    @Override
    public boolean isSameRM(@Nullable XAResource other) {
        return equals(other);
    }

    /** Two are equal when they go to the same brokers alike: transaction managers keep lists of them. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ReconnectingXaResource that && uri.equals(that.uri);
    }

    @Override
    public int hashCode() {
        return uri.hashCode();
    }

    @Override
    public String toString() {
        return uri;
    }
}
