package io.metaq.client;

import java.util.Set;

/**
 * This process's seat in a consumer group: says which partitions it owns. Kept by a broker ({@code group join}) or in ZooKeeper by
 * the 1.4 rule. A partition goes to another member only after {@link #release} or after this member is gone.
 */
public interface GroupMembership extends AutoCloseable {

    /** Told by the membership on its own thread, one call at a time; must not block. */
    interface Listener {

        /** These are owned (claimed) from now on: begin to read. Never names a partition that is owned already. */
        void assigned(Set<TopicPartition> partitions);

        /**
         * These have to be given up: finish, store the offset, then call {@link GroupMembership#release} for each. They stay
         * owned until then.
         */
        void revoked(Set<TopicPartition> partitions);

        /**
         * These are lost without having been given up (the session expired, the connection broke): somebody else may read them
         * already. Stop at once and store nothing. No release.
         */
        void lost(Set<TopicPartition> partitions);
    }

    /** Gives up a partition; does not block for the network. Unknown ones are ignored. */
    void release(TopicPartition partition);

    /** Leaves the group, giving up everything. Within two seconds, whatever the servers do. Tells the listener nothing more. */
    @Override
    void close();
}
