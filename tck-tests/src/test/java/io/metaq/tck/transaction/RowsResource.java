package io.metaq.tck.transaction;

import java.io.Serial;
import java.io.Serializable;
import java.sql.SQLException;
import java.util.Arrays;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;

/**
 * Finishes branches of an H2 database in whatever process, and does what H2's own resource does not: it can be logged, and says that it
 * does not know a branch where that is so.
 */
final class RowsResource implements XAResource, Serializable {
    private static final long serialVersionUID = 1L;

    private final String url;
    private transient @Nullable XAResource connected;

    RowsResource(String url) {
        this.url = url;
    }

    /** Stands for itself while it takes work, and for one that only finishes in the log. */
    record Working(XAResource resource, String url) implements XAResource, Serializable {
        private static final long serialVersionUID = 1L;

        @Serial
        private Object writeReplace() {
            return new RowsResource(url);
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
        public int prepare(Xid xid) throws XAException {
            return resource.prepare(xid);
        }

        @Override
        public void commit(Xid xid, boolean onePhase) throws XAException {
            resource.commit(xid, onePhase);
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

    static JdbcDataSource database(String url) {
        JdbcDataSource database = new JdbcDataSource();
        database.setUrl(url);
        return database;
    }

    private synchronized XAResource resource() throws XAException {
        XAResource resource = connected;
        if (resource == null) {
            try {
                resource = database(url).getXAConnection().getXAResource();
            } catch (SQLException e) {
                throw failed(XAException.XAER_RMFAIL, e);
            }
            connected = resource;
        }
        return resource;
    }

    /** H2 takes a branch that it does not know for one of the session that asks. */
    private XAResource knowing(Xid xid) throws XAException {
        for (Xid known : recover(TMSTARTRSCAN)) {
            if (known.getFormatId() == xid.getFormatId()
                    && Arrays.equals(known.getGlobalTransactionId(), xid.getGlobalTransactionId())
                    && Arrays.equals(known.getBranchQualifier(), xid.getBranchQualifier())) {
                return resource();
            }
        }
        throw new XAException(XAException.XAER_NOTA);
    }

    private static XAException failed(int code, Exception cause) {
        XAException failure = new XAException(code);
        failure.initCause(cause);
        return failure;
    }

    @Override
    public Xid[] recover(int flags) throws XAException {
        return (flags & TMSTARTRSCAN) == 0 ? new Xid[0] : resource().recover(flags);
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        knowing(xid).commit(xid, onePhase);
    }

    @Override
    public void rollback(Xid xid) throws XAException {
        knowing(xid).rollback(xid);
    }

    @Override
    public void forget(Xid xid) throws XAException {
        throw new XAException(XAException.XAER_NOTA);
    }

    @Override
    public void start(Xid xid, int flags) throws XAException {
        throw new XAException(XAException.XAER_PROTO);
    }

    @Override
    public void end(Xid xid, int flags) throws XAException {
        throw new XAException(XAException.XAER_PROTO);
    }

    @Override
    public int prepare(Xid xid) throws XAException {
        throw new XAException(XAException.XAER_PROTO);
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
