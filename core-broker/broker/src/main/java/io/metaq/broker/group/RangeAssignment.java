package io.metaq.broker.group;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The balancing rule of MetaQ 1.4: members and partitions in the order of their names as strings, contiguous ranges,
 * the remainder to the first members (PROTOCOL.md, consumer groups).
 */
final class RangeAssignment {
    private RangeAssignment() {}

    /**
     * @param brokerId stands first in a partition's name
     * @param partitions how many there are
     * @param members who share them, in any order
     * @return for each partition index the member that is to consume it; empty without members
     */
    static SortedMap<Integer, String> of(int brokerId, int partitions, List<String> members) {
        SortedMap<Integer, String> assignment = new TreeMap<>();
        if (members.isEmpty()) {
            return assignment;
        }
        List<String> sorted = new ArrayList<>(members);
        sorted.sort(Comparator.naturalOrder());
        List<Integer> indexes = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            indexes.add(i);
        }
        indexes.sort(Comparator.comparing(index -> brokerId + "-" + index));
        int share = partitions / sorted.size();
        int remainder = partitions % sorted.size();
        int next = 0;
        for (int m = 0; m < sorted.size(); m++) {
            int take = share + (m < remainder ? 1 : 0);
            for (int i = 0; i < take; i++) {
                assignment.put(indexes.get(next++), sorted.get(m));
            }
        }
        return assignment;
    }
}
