package io.metaq.benchmarks.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ArrivalsTest {

    private final Arrivals arrivals = new Arrivals();

    private void arrive(int producer, long... sequences) {
        for (long sequence : sequences) {
            arrivals.accept(ByteBuffer.wrap(Body.of(producer, sequence, 0, 64)));
        }
    }

    @Test
    void shouldCountEachMessageOnce() {
        arrive(0, 0, 1, 1, 2, 0);
        assertThat(arrivals.distinct()).isEqualTo(3);
        assertThat(arrivals.duplicated()).isEqualTo(2);
        assertThat(arrivals.disordered()).isZero();
    }

    @Test
    void shouldCountMessagesThatCameAfterALaterOne() {
        arrive(0, 0, 3, 1, 2, 4);
        assertThat(arrivals.disordered()).isEqualTo(2);
        assertThat(arrivals.distinct()).isEqualTo(5);
    }

    @Test
    void shouldJudgeEachProducerByItself() {
        arrive(0, 5);
        arrive(1, 0);
        arrive(0, 6);
        arrive(1, 1);
        assertThat(arrivals.disordered()).isZero();
        assertThat(arrivals.distinct()).isEqualTo(4);
    }
}
