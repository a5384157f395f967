package io.metaq.xa;

/** A session, as its XAResource needs it: where its work goes. */
public interface XaSession {

    /** The session's way to the broker. */
    ResourceManager manager();

    /** A place for this session's work within a branch. */
    Contribution contribute(Branch branch);

    /** From now on the session's work goes there. */
    void enter(Contribution contribution);

    /** From now on its work belongs to no branch. */
    void leave();
}
