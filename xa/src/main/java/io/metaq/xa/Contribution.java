package io.metaq.xa;

import io.metaq.client.subscription.TransactionParts;

/** What one session did within one branch: collected by the session, given to the broker by the branch. */
public interface Contribution {

    /** The session's way to the broker. Acknowledgements can go by no other. */
    ResourceManager manager();

    /** What was collected since the last call, in order; may be empty. */
    TransactionParts take();

    /** Everything is committed. */
    void committed();

    /**
     * Nothing of it is.
     *
     * @param sent whether the broker had all of it, and gives back what was acknowledged; otherwise that is the session's to do
     */
    void rolledBack(boolean sent);
}
