package io.metaq.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ProducersTest {
    private static final long PRODUCER = 77;

    private final Producers producers = new Producers();

    private static Producers.Stored batch(long sequence, int count) {
        return new Producers.Stored(sequence, count, 1_000 + sequence, 0, sequence * 100);
    }

    @Test
    void shouldRecogniseABatchWithinTheWindow() {
        for (int i = 0; i < Producers.WINDOW; i++) {
            producers.stored(PRODUCER, batch(i * 3L, 3), 1);
        }
        assertThat(producers.isOld(PRODUCER, 0)).isTrue();
        assertThat(producers.find(PRODUCER, 0, 3)).isEqualTo(batch(0, 3));
        assertThat(producers.isOld(PRODUCER, Producers.WINDOW * 3L)).isFalse();
    }

    @Test
    void shouldForgetTheOldestBatchFirst() {
        for (int i = 0; i <= Producers.WINDOW; i++) {
            producers.stored(PRODUCER, batch(i, 1), 1);
        }
        assertThat(producers.isOld(PRODUCER, 0)).isTrue();
        assertThat(producers.find(PRODUCER, 0, 1)).isNull();
        assertThat(producers.find(PRODUCER, 1, 1)).isEqualTo(batch(1, 1));
    }

    @Test
    void shouldNotTakeABatchOfAnotherCutForTheSame() {
        producers.stored(PRODUCER, batch(0, 3), 1);
        assertThat(producers.find(PRODUCER, 0, 2)).isNull();
        assertThat(producers.find(PRODUCER, 1, 2)).isNull();
    }

    @Test
    void shouldKeepProducersApart() {
        producers.stored(PRODUCER, batch(5, 1), 1);
        assertThat(producers.isOld(PRODUCER + 1, 5)).isFalse();
    }

    @Test
    void shouldForgetProducersThatWereNotSeen() {
        producers.stored(PRODUCER, batch(0, 1), 1_000);
        producers.stored(PRODUCER + 1, batch(0, 1), 2_000);
        producers.expire(2_000);
        assertThat(producers.isOld(PRODUCER, 0)).isFalse();
        assertThat(producers.isOld(PRODUCER + 1, 0)).isTrue();
    }

    @Test
    void shouldComeBackFromItsBytes() throws IOException {
        for (int i = 0; i < Producers.WINDOW + 50; i++) {
            producers.stored(PRODUCER, batch(i, 1), 1);
        }
        Producers read = new Producers();
        read.read(new DataInputStream(new ByteArrayInputStream(bytes(producers))));
        assertThat(read.find(PRODUCER, 50, 1)).isEqualTo(batch(50, 1));
        assertThat(read.find(PRODUCER, 49, 1)).isNull();
        assertThat(bytes(read)).isEqualTo(bytes(producers));
    }

    private static byte[] bytes(Producers producers) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        producers.write(new DataOutputStream(bytes));
        return bytes.toByteArray();
    }
}
