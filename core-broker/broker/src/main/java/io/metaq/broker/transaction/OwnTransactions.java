package io.metaq.broker.transaction;

import io.metaq.broker.net.Session;
import io.metaq.protocol.TransactionKey;
import io.metaq.state.record.TransactionStep;
import io.metaq.state.transaction.Transaction;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The transactions that one connection has begun: what is not prepared ends with it. Its local ones are nobody else's,
 * whatever their keys. On its event loop.
 */
public final class OwnTransactions {
    private static final AtomicLong LAST = new AtomicLong();

    private final long number = LAST.incrementAndGet();
    private final Transactions transactions;
    private final Set<String> begun = new LinkedHashSet<>();

    private OwnTransactions(Transactions transactions) {
        this.transactions = transactions;
    }

    /** Those of a connection. */
    public static OwnTransactions of(Session session, Transactions transactions) {
        return session.part(OwnTransactions.class, () -> {
            OwnTransactions own = new OwnTransactions(transactions);
            session.onClose(own::lost);
            return own;
        });
    }

    /** What the transaction is called in the table. */
    public String key(TransactionKey key) {
        return key instanceof TransactionKey.Local ? key.token() + '@' + number : key.token();
    }

    /** The connection has begun the transaction of this key in the table, unless it had before. */
    public void begun(String key, Session session) {
        begun.add(key);
        if (!session.open()) {
            lost();
        }
    }

    /** It has ended, or does not need the connection any more. */
    public void left(String key) {
        begun.remove(key);
    }

    private void lost() {
        for (String key : Set.copyOf(begun)) {
            Transaction transaction = transactions.table().find(key);
            if (transaction != null && transaction.phase() == Transaction.Phase.ACTIVE) {
                transactions.step(transaction.id(), key, TransactionStep.Kind.DISCONNECT);
            }
        }
        begun.clear();
    }
}
