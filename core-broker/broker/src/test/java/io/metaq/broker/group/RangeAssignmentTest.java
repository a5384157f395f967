package io.metaq.broker.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.testkit.vector.BalancingVector;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RangeAssignmentTest {
    /** A broker shares out its own partitions, by one rule. */
    static Stream<BalancingVector> vectors() {
        return BalancingVector.all().stream()
                .filter(vector -> vector.rule().equals("DEFAULT"))
                .filter(vector -> vector.partitions().stream()
                                .map(RangeAssignmentTest::broker)
                                .distinct()
                                .count()
                        == 1);
    }

    private static int broker(String partition) {
        return Integer.parseInt(partition.substring(0, partition.indexOf('-')));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void shouldShareOutAsMembersWithoutABrokerDo(BalancingVector vector) {
        int broker = broker(vector.partitions().get(0));
        SortedMap<Integer, String> owners =
                RangeAssignment.of(broker, vector.partitions().size(), vector.members());
        vector.owned().forEach((member, owned) -> {
            List<String> theirs = new ArrayList<>();
            owners.forEach((partition, owner) -> {
                if (owner.equals(member)) {
                    theirs.add(broker + "-" + partition);
                }
            });
            assertThat(theirs).as(member).containsExactlyInAnyOrderElementsOf(owned);
        });
    }
}
