package io.metaq.client;

import java.util.Set;

/** A coordination service that finds brokers, keeps groups and offsets; opened by a {@link ClusterProvider}. */
public interface Cluster extends AutoCloseable {

    /** Where topics live. Closed by {@link #close()}. */
    RouteSource routes();

    /**
     * Takes a seat in a group. Returns without waiting for the first assignment.
     *
     * @param group the group's name
     * @param member unique name of this member, without blanks and slashes
     * @param topics what this member reads; members of a group may differ
     * @param rule how the group splits partitions, the same for all its members
     * @param listener told assignments
     * @throws MetaqException when the service cannot be reached
     */
    GroupMembership join(
            String group, String member, Set<String> topics, BalanceRule rule, GroupMembership.Listener listener);

    /** Takes a seat in a group that splits partitions as 1.4 does by default. */
    default GroupMembership join(String group, String member, Set<String> topics, GroupMembership.Listener listener) {
        return join(group, member, topics, BalanceRule.RANGE, listener);
    }

    /** Offsets kept in the service, in the 1.4 form. Closed by {@link #close()}. */
    OffsetStore offsets();

    /** Within two seconds, whatever the servers do; no thread is left. */
    @Override
    void close();
}
