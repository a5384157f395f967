package io.metaq.xa;

import io.metaq.client.subscription.TransactionParts;
import java.util.List;
import javax.transaction.xa.XAException;

/**
 * A broker's transactions, by one connection to it. Calls wait for the answer. A failure whose outcome is not known is XAER_RMFAIL, never
 * a code that says that the branch is rolled back.
 */
public interface ResourceManager {

    /** What is to happen behind the parts. */
    enum Then {
        /** More may come. */
        NOTHING,
        PREPARE,
        /** Commit in one phase. */
        COMMIT
    }

    /** A step that names a branch. */
    enum Step {
        COMMIT,
        ROLLBACK,
        FORGET
    }

    /** Identity of the broker, or the cluster of brokers, whose branches these are: the same for all connections to it. */
    String id();

    /**
     * Puts work into a branch, which begins with it if it is new.
     *
     * @param key of {@link XidKey#text()}
     * @param begun whether the broker has something of it already: if that is gone, nothing new may begin in its place
     * @param timeoutSeconds how long the branch may live without being prepared; 0 leaves it to the broker
     * @return XA_OK, or XA_RDONLY where {@code PREPARE} found nothing to commit and forgot the branch
     */
    int enlist(String key, Then then, TransactionParts parts, boolean begun, int timeoutSeconds) throws XAException;

    /**
     * Ends a branch.
     *
     * @throws XAException XAER_NOTA when the broker does not know it
     */
    void finish(String key, Step step) throws XAException;

    /** The keys of all branches that are prepared or heuristically completed, whoever made them. */
    List<String> recover() throws XAException;
}
