package io.metaq.broker.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.state.PartitionName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class GroupCoordinatorTest {
    private final AtomicLong nowMs = new AtomicLong();
    private final GroupCoordinator coordinator = new GroupCoordinator(0, topic -> 2, nowMs::get, 30_000);
    private final List<GroupCoordinator.View> answers = new ArrayList<>();

    private Runnable join(String member, long known) {
        return coordinator.join("g", member, Set.of("t"), known, answers::add);
    }

    @Test
    void shouldAnswerANewMemberAtOnce() {
        join("a", -1);
        assertThat(answers).hasSize(1);
        assertThat(answers.get(0).owned()).containsExactly(new PartitionName("t", 0), new PartitionName("t", 1));
    }

    @Test
    void shouldHoldAMemberUntilThereAreNews() {
        join("a", -1);
        join("a", answers.get(0).generation());
        assertThat(answers).hasSize(1);

        coordinator.join("g", "b", Set.of("t"), -1, view -> {});
        assertThat(answers).hasSize(2);
        assertThat(answers.get(1).members()).containsExactly("a", "b");
        assertThat(answers.get(1).owned()).containsExactly(new PartitionName("t", 0));
    }

    @Test
    void shouldAnswerOnceWhenTheTimeIsUp() {
        join("a", -1);
        Runnable answerNow = join("a", answers.get(0).generation());
        answerNow.run();
        answerNow.run();
        assertThat(answers).hasSize(2);
    }

    @Test
    void shouldTellAMemberThatWasTakenForGone() {
        join("a", -1);
        join("a", answers.get(0).generation());
        nowMs.set(31_000);
        coordinator.tick();
        assertThat(answers).hasSize(2);
        assertThat(answers.get(1).owned()).isEmpty();
        assertThat(coordinator.groups()).isEmpty();
    }
}
