package io.metaq.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoundsTest {

    private static final Contender A = new Contender("A", "a", Set.of(), Map.of("acks", "1"), Map.of());
    private static final Contender B =
            new Contender("B", "b", Set.of(), Map.of(), Map.of("lat", Map.of("durability", "disk")));

    private final List<Map<String, String>> jobs = new ArrayList<>();
    private final List<String> systems = new ArrayList<>();

    private Map<Contender, List<Figures>> run(String workload) throws IOException, InterruptedException {
        Options options = Options.parse(List.of("--quick", "--rounds", "3", workload));
        Rounds rounds = new Rounds(this::answer, options, line -> {});
        return rounds.run(workload, List.of(A, B), 1);
    }

    private Figures answer(String system, Map<String, String> job) throws IOException {
        jobs.add(job);
        systems.add(system);
        if (job.getOrDefault("acks", "").equals("1") && jobs.size() == 3) {
            throw new IOException("broken");
        }
        return DriverProcess.figures("@figures messages=" + 100 * jobs.size() + " seconds=2.0");
    }

    @Test
    void shouldTakeTurnsAndBeginEachRoundWithAnother() throws Exception {
        run("produce");
        assertThat(systems).containsExactly("a", "b", "a", "b", "b", "a", "a", "b");
    }

    @Test
    void shouldKeepTheOtherRoundsWhenOneFails() throws Exception {
        Map<Contender, List<Figures>> results = run("produce");
        assertThat(results.get(A)).hasSize(2);
        assertThat(results.get(B)).hasSize(3);
    }

    @Test
    void shouldGiveEveryRunItsOwnTopicButDrainTheFilledOne() throws Exception {
        run("async");
        assertThat(jobs.stream().map(job -> job.get("topic"))).doesNotHaveDuplicates();
        jobs.clear();
        run("drain");
        assertThat(jobs.stream().map(job -> job.get("topic")).distinct()).hasSize(2);
        assertThat(jobs.get(0)).containsEntry("workload", "fill");
    }

    @Test
    void shouldAskForTheDurabilityOfTheWorkloadUnlessTheContenderSaysOtherwise() throws Exception {
        run("lat");
        assertThat(jobs.get(0)).containsEntry("durability", "os");
        assertThat(jobs.get(1)).containsEntry("durability", "disk");
        jobs.clear();
        run("sync8");
        assertThat(jobs.get(0)).containsEntry("durability", "disk");
    }

    @Test
    void shouldGiveAJmsWorkloadTheMeaningThatItsNameStandsFor() throws Exception {
        run("jms-shared8");
        assertThat(jobs.get(0))
                .containsEntry("workload", "sync8")
                .containsEntry("connection", "shared")
                .containsEntry("verify", "true");
    }
}
