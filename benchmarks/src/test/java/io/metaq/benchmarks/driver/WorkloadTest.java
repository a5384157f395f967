package io.metaq.benchmarks.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadTest {

    private static final byte[] LOST = new byte[0];

    private static Map<String, Object> run(QueuePeer peer, String job) throws Exception {
        Job parsed = Job.parse(job + " topic=t seconds=0.1 settle=0.02 size=64");
        return Workload.named(parsed.workload()).run(peer, parsed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"async", "lat"})
    void shouldFindNothingWrongWithAFaultlessPeer(String workload) throws Exception {
        Map<String, Object> figures =
                run(new QueuePeer(UnaryOperator.identity()), "workload=" + workload + " patience=9");
        assertThat(figures)
                .containsEntry("missing", 0L)
                .containsEntry("duplicated", 0L)
                .containsEntry("disordered", 0L);
        assertThat(figures).containsKeys("messages", "brokerCpu", "clientCpu");
        assertThat((double) figures.get("seconds")).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"produce", "sync1", "sync8"})
    void shouldCountAcknowledgedMessages(String workload) throws Exception {
        Map<String, Object> figures = run(new QueuePeer(UnaryOperator.identity()), "workload=" + workload);
        assertThat(figures).containsKeys("messages", "seconds", "brokerCpu", "clientCpu");
    }

    @Test
    void shouldDrainWhatWasFilled() throws Exception {
        QueuePeer peer = new QueuePeer(UnaryOperator.identity());
        run(peer, "workload=fill count=500");
        Map<String, Object> figures = run(peer, "workload=drain count=500 patience=2");
        assertThat(figures).containsEntry("messages", 500L).containsEntry("missing", 0L);
    }

    @Test
    void shouldTellWhatWasLost() throws Exception {
        QueuePeer peer = new QueuePeer(body -> Body.sequence(ByteBuffer.wrap(body)) % 100 == 7 ? LOST : body);
        run(peer, "workload=fill count=500");
        Map<String, Object> figures = run(peer, "workload=drain count=500 patience=2");
        assertThat(figures).containsEntry("missing", 5L).containsEntry("messages", 495L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"produce", "sync8"})
    void shouldReceiveWhatWasSentWhereVerificationIsAskedFor(String workload) throws Exception {
        QueuePeer peer = new QueuePeer(body -> Body.sequence(ByteBuffer.wrap(body)) == 3 ? LOST : body);
        Map<String, Object> figures = run(peer, "workload=" + workload + " verify=true patience=1");
        assertThat(figures)
                .containsEntry("missing", workload.equals("sync8") ? 8L : 1L)
                .containsEntry("duplicated", 0L)
                .containsEntry("disordered", 0L);
    }

    @Test
    void shouldRefuseAnUnknownWorkload() {
        assertThatThrownBy(() -> Workload.named("asynk")).hasMessageContaining("asynk");
    }
}
