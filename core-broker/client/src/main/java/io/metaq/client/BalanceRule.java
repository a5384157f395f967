package io.metaq.client;

/** How a group that meets in ZooKeeper splits a topic's partitions. All members of a group must use the same rule. */
public enum BalanceRule {
    /** Contiguous ranges of the partitions sorted as text; the first members get one more. What 1.4 does by default. */
    RANGE,
    /** A hash ring (Ketama) of members: fewer partitions move, shares differ. The rule that 1.4 calls CONSIST. */
    CONSISTENT_HASH
}
