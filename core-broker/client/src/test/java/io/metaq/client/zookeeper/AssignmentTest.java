package io.metaq.client.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.BalanceRule;
import io.metaq.testkit.vector.BalancingVector;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AssignmentTest {
    static List<BalancingVector> vectors() {
        return BalancingVector.all();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void shouldGiveEachMemberWhatAllOthersThinkItHas(BalancingVector vector) {
        BalanceRule rule = vector.rule().equals("CONSIST") ? BalanceRule.CONSISTENT_HASH : BalanceRule.RANGE;
        List<String> members = vector.members().stream().sorted().toList();
        List<String> partitions = vector.partitions().stream().sorted().toList();
        vector.owned()
                .forEach((member, owned) -> assertThat(Assignment.share(rule, member, members, partitions))
                        .as(member)
                        .containsExactlyInAnyOrderElementsOf(owned));
    }
}
